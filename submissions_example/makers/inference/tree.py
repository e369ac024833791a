"""The clean submission as a mapping from path to text."""

from __future__ import annotations

from makers.inference import accuracy_files, compliance_files, documents, power_files
from makers.inference.loadgen_tests import Logs, run_test
from makers.inference.plans import MINI, PLANS, SYSTEMS, Plan, System
from makers.inference.system_descriptions import system_json

Tree = dict[str, str]  # paths relative to the submission's root


def clean_tree() -> Tree:
    """Return all files of the clean submission."""
    tree: Tree = {"README.md": documents.ROOT_README}
    for system in SYSTEMS:
        tree |= _papers(system)
    for plan in PLANS:
        tree |= _measured(plan)
    return tree


def power_tree() -> Tree:
    """Return the benchmarks of the clean submission that power was measured with, with it."""
    powered = {(plan.system, plan.benchmark) for plan in PLANS if plan.watts}
    tree: Tree = {"README.md": documents.POWER_README}
    for plan in PLANS:
        if (plan.system, plan.benchmark) in powered:
            tree |= _papers(plan.system) | _measured(plan)
            if plan.watts:
                tree |= _power(plan)
    return tree


def _power(plan: Plan) -> Tree:
    """Return what a power measurement adds to a plan."""
    files = power_files.session(plan, run_test(plan, "performance"))
    home = plan.system.home
    return _below(f"{home}/results/{plan.place}/performance", files) | _below(
        f"{home}/measurements/{plan.place}", power_files.measurement(plan)
    )


def _papers(system: System) -> Tree:
    """Return what describes a submitter and one of its systems."""
    home = system.home
    papers = {
        f"{home}/README.md": documents.submitter_readme(system),
        f"{home}/systems/{system.name}.json": system_json(system),
    }
    if system is MINI:
        papers[f"{home}/model_mapping.json"] = documents.model_mapping()
    else:
        papers[f"{home}/documentation/calibration.md"] = documents.CALIBRATION
        papers[f"{home}/documentation/bandwidth.md"] = documents.BANDWIDTH
    return papers


def _measured(plan: Plan) -> Tree:
    """Return the files of one plan and of the scenarios inferred from it."""
    home, folder = plan.system.home, plan.benchmark.folder
    performance, accuracy = run_test(plan, "performance"), run_test(plan, "accuracy")
    results = _logs("performance/run_1", performance) | _logs("accuracy", accuracy)
    for name, text in accuracy_files.accuracy_run_files(accuracy).items():
        results[f"accuracy/{name}"] = text
    tree = {
        f"{home}/code/{folder}/{plan.system.implementation}/README.md": documents.code_readme(plan)
    }
    for scenario in (plan.scenario, *plan.copied_to):
        place = f"{plan.system.name}/{folder}/{scenario}"
        tree |= _below(f"{home}/results/{place}", results)
        tree |= _below(f"{home}/measurements/{place}", _measurement(plan, scenario))
    for test in plan.benchmark.tests:
        tree |= _below(
            f"{home}/compliance/{plan.place}/{test}", compliance(plan, test, performance)
        )
    return tree


def _measurement(plan: Plan, scenario: str) -> Tree:
    name = f"{plan.system.name}_{plan.system.implementation}_{scenario}.json"
    return {
        name: documents.measurement_json(plan),
        "user.conf": documents.user_conf(plan),
        "README.md": documents.measurement_readme(plan, scenario),
    }


def compliance(plan: Plan, test: str, performance: Logs) -> Tree:
    """Return the files of one compliance test, relative to its folder."""
    if test == "TEST06":  # its verification script keeps answers, not logs
        return {
            "verify_accuracy.txt": compliance_files.test06_accuracy(plan),
            "accuracy/mlperf_log_accuracy.json": accuracy_files.test06_json(plan),
        }
    logs = run_test(plan, test)
    tree = _logs("performance/run_1", logs)
    if test == "TEST04":
        tree["verify_performance.txt"] = compliance_files.test04_performance(performance, logs)
        return tree
    files, kept = accuracy_files.test01_files(logs)
    tree["verify_performance.txt"] = compliance_files.test01_performance(performance, logs)
    tree["verify_accuracy.txt"] = compliance_files.test01_accuracy(plan, kept)
    return tree | _below("accuracy", files)


def _logs(folder: str, logs: Logs) -> Tree:
    return {
        f"{folder}/mlperf_log_detail.txt": logs.detail,
        f"{folder}/mlperf_log_summary.txt": logs.summary,
    }


def _below(folder: str, files: Tree) -> Tree:
    return {f"{folder}/{path}": text for path, text in files.items()}
