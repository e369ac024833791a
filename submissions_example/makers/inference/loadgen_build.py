"""The LoadGen that wrote the logs: MLCommons' public revision 5.1.0, so that it is a known one.

``SHA1`` are the checksums of its files, ``LINES`` the places that log each key.
Source: github.com/mlcommons/inference, ``loadgen/`` at ``REVISION``.
"""

from __future__ import annotations

REVISION = "091d51f04198117a35cc15dda511eb2ada55bf8a"
VERSION = f"5.1.0 @ {REVISION[:10]}"
COMMIT_DATE = "2025-07-30T13:45:05+01:00"
COMMIT_LOG = f"{REVISION} Fix checking power directory (#2306)"  # of a clone of depth 1

_SHA1 = """
012aad77e5206c89d50718c46c119d1f3cb056b2 /.clang-format
a8ebd64f62d0349aeedbe3295d833ebdce625c2e /CMakeLists.txt
ddeb472d62edf2920db1f8fa3beebe3e831557f1 /MANIFEST.in
e850133bdbbfa62c84bc05a7358114d8996e0530 /README.md
5f6c6a784e9cd6995db47f9b9f70b1769909c9d8 /README_BUILD.md
01f9ae9887f50bc030dc6107e740f40c43ca388f /README_FAQ.md
204887433f1f70007f566f5bd6bbacbb68b15a6d /VERSION.txt
d013101621ef06a0ddc5e7d9ce511918a8b2ebe6 /__init__.py
14d178b64c7fc45d090e038c08d9b78ca943c383 /bindings/c_api.cc
23d9f99e00b2d196e095fae0bb453a391c18d601 /bindings/c_api.h
4dae966c92acdaa373b04a95adc4ca353937f154 /bindings/python_api.cc
53dba8ad4272190ceb6335c12fd25e53dc02a8cb /diagram_network_submission.png
84c2f79309b237cef652aef6a187ba8e875a3952 /diagram_submission.png
0cd7b546a389deac73f7955cd39255ed76557d62 /early_stopping.cc
158fcae6a5f47e82150d6416fa1f7bcef37e77fe /early_stopping.h
02fcfe6d9cf958eeb4b6f1f4dbe87ba7eb4d7dec /issue_query_controller.cc
ed20934fd3507a15949d501ac154be38e766f6ab /issue_query_controller.h
6daa9cd51454a699fcb55d9aa6bf9e54dd7b7a97 /loadgen.cc
ce9fcb5d44951e7e9048a83b7c1a41c8b8e0f7d8 /loadgen.h
47f748307536f80cfc606947b440dd732afc2637 /loadgen_integration_diagram.svg
49e63158ebca654fa4b7c5f3321054cf4d6c3a30 /logging.cc
2102c91dedbaa156beadf0cecc63d2f43a2bd7dd /logging.h
995a5e32f4e87da6ac0848cbdd8369e4ee4f321f /mlperf.conf
712fab87b72ba67ef2a068d0f9f47da65130342f /pyproject.toml
1f18e9cd3ee4dc89a387cf462de1d0ceb1ece975 /query_dispatch_library.h
c4f399103bc3d172079bbd4cd2b0ca0f22eebc4f /query_sample.h
8323a2225be1dff31f08ecc86b76eb3de06568bc /query_sample_library.h
a5ff7e77caa6e9e22ada90f0de0c865c987bf167 /requirements.txt
fa04efe1049f62262eff7973d49cb2d90a406dcd /results.cc
fce22d5a588d91fd968a6b25c27896dba87bc276 /results.h
a5eaa6f713bd3dfb6603be2c7928f0c295d7ee30 /setup.py
18d4809589dae33317d88d9beeb5491a6e1ccdec /system_under_test.h
8e05582d1fbe9dd2b809686684c3a0ac41248723 /test_settings.h
a5cc85fb7735727eee032aa3e88b5d61c1f11a2a /test_settings_internal.cc
2bb9e9ae53904cb0ca221f4a5d49ca7d9ec3b0ca /test_settings_internal.h
3df8fdabf6eaea4697cf25d1dcb89cae88e36efd /utils.cc
40775e32d619ea6356826ae5ea4174c7911f6894 /utils.h
cbec2a5f98f9786c8c3d8b06b3d12df0b6550fa0 /version.cc
9d574baa64424e9c708fcfedd3dbb0b518a65fcc /version.h
9f23d13276194588473120a8a6ecf5a6ed034a23 /version_generator.py
"""
SHA1 = {path: digest for digest, path in (line.split() for line in _SHA1.split("\n") if line)}

# file: key line, key line, ...; P stands for each percentile, /X means in scenario X only
_LINES = """
version.cc: loadgen_version 53, loadgen_build_date_local 55, loadgen_build_date_utc 56,
  loadgen_git_commit_date 57, loadgen_git_log_message 58, loadgen_git_status_message 60,
  loadgen_file_sha1 67
loadgen.cc: test_datetime 1194, sut_name 1195, get_sut_name_duration_ns 1196, qsl_name 1197,
  qsl_reported_total_count 1198, qsl_reported_performance_count 1199, warning_generic_message 1218,
  loaded_qsl_set 608, generated_query_count 427, generated_samples_per_query 428,
  generated_query_duration 429, power_begin 562, power_end 564
test_settings_internal.cc: requested_scenario 272, requested_test_mode 273,
  requested_single_stream_expected_latency_ns 278,
  requested_single_stream_target_latency_percentile 280,
  requested_multi_stream_expected_latency_ns 284,
  requested_multi_stream_target_latency_percentile 286,
  requested_multi_stream_samples_per_query 288, requested_server_target_qps 292,
  requested_server_target_latency_ns 293, requested_server_target_latency_percentile 295,
  requested_server_coalesce_queries 297,
  requested_server_find_peak_qps_decimals_of_precision 299,
  requested_server_find_peak_qps_boundary_step_size 302, requested_server_max_async_queries 304,
  requested_server_num_issue_query_threads 306, requested_offline_expected_qps 310,
  requested_min_duration_ms 316, requested_max_duration_ms 317, requested_min_query_count 318,
  requested_max_query_count 319, requested_qsl_rng_seed 320, requested_sample_index_rng_seed 321,
  requested_schedule_rng_seed 323, requested_accuracy_log_rng_seed 324,
  requested_accuracy_log_probability 326, requested_accuracy_log_sampling_target 328,
  requested_print_timestamps 330, requested_performance_issue_unique 331,
  requested_performance_issue_same 333, requested_performance_issue_same_index 335,
  requested_performance_sample_count_override 337, requested_sample_concatenate_permutation 339,
  requested_use_token_latencies 343, requested_server_ttft_latency 346,
  requested_server_tpot_latency 348, effective_scenario 418, effective_test_mode 419,
  effective_samples_per_query 421, effective_target_qps 422, effective_target_latency_ns 423,
  effective_target_latency_percentile 424, effective_max_async_queries 426,
  effective_target_duration_ms 427, effective_min_duration_ms 429, effective_max_duration_ms 430,
  effective_min_query_count 431, effective_max_query_count 432, effective_min_sample_count 433,
  effective_qsl_rng_seed 434, effective_sample_index_rng_seed 435,
  effective_schedule_rng_seed 437, effective_accuracy_log_rng_seed 438,
  effective_accuracy_log_probability 440, effective_accuracy_log_sampling_target 442,
  effective_print_timestamps 444, effective_performance_issue_unique 445,
  effective_performance_issue_same 447, effective_performance_issue_same_index 449,
  effective_performance_sample_count 451, effective_sample_concatenate_permutation 453
logging.cc: logger_swap_request_slots_retry_count 902,
  logger_swap_request_slots_retry_retry_count 904,
  logger_swap_request_slots_retry_reencounter_count 906,
  logger_start_reading_entries_retry_count 908, logger_tls_total_log_cas_fail_count 910,
  logger_tls_total_swap_buffers_slot_retry_count 912
results.cc: result_validity 674, result_perf_constraints_met 677, result_min_duration_met 679,
  result_min_queries_met 680, early_stopping_met 681, early_stopping_result 700,
  early_stopping_ttft_result 706, early_stopping_tpot_result 708, result_query_count 712,
  result_overlatency_query_count 714, result_min_query_latency_ns 719,
  result_max_query_latency_ns 720, result_mean_query_latency_ns 721,
  result_P_percentile_per_query_latency_ns 724, result_qps_with_loadgen_overhead 735,
  result_qps_without_loadgen_overhead 736, early_stopping_latency_ss 737,
  early_stopping_latency_ms 739, early_stopping_latency_ms/MultiStream 745,
  result_scheduled_samples_per_sec 760, result_completed_samples_per_sec 763,
  result_samples_per_second 768, result_min_latency_ns 774, result_max_latency_ns 775,
  result_mean_latency_ns 776, result_P_percentile_latency_ns 778,
  result_first_token_min_latency_ns 786, result_first_token_max_latency_ns 788,
  result_first_token_mean_latency_ns 790, result_first_token_P_percentile_latency_ns 793,
  result_token_throughput_with_loadgen_overhead 801, result_token_throughput 803,
  result_time_per_output_token_P_percentile_ns 805, result_time_to_output_token_min 810,
  result_time_to_output_token_max 812, result_time_to_output_token_mean 814,
  result_completed_tokens_per_second 818, result_tokens_per_second 822, num_errors 852
"""


def _places() -> dict[str, tuple[str, int]]:
    places: dict[str, tuple[str, int]] = {}
    for part in _LINES.replace("\n  ", " ").strip().splitlines():
        file, _, keys = part.partition(": ")
        for key in keys.split(","):
            name, _, line = key.strip().rpartition(" ")
            places[name] = (file, int(line))
    return places


LINES = _places()
