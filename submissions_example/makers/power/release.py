"""What a session shows of the workflow's release for MLPerf Inference v5.0 and later."""

from __future__ import annotations

EMPTY = "da39a3ee5e6b4b0d3255bfef95601890afd80709"  # SHA-1 of an empty file
SOURCES = {
    "__init__.py": EMPTY,
    "client.py": "33ca4f26368777ac06e01f9567b714a4b8063886",
    "lib/__init__.py": EMPTY,
    "lib/client.py": "ac2aa093c8e8bbc9569b9e2a3471bc64e58a2258",
    "lib/common.py": "611d8b29633d331eb19c9455ea3b5fa3284ed6df",
    "lib/external/__init__.py": EMPTY,
    "lib/external/ntplib.py": "4da8f970656505a40483206ef2b5d3dd5e81711d",
    "lib/server.py": "9bc9a3b6b9b716520658ac175913bcbbdb354336",
    "lib/source_hashes.py": "60a2e02193209e8d392803326208d5466342da18",
    "lib/summary.py": "602a9fedfa503e5544d27ab3b0067f235047efc3",
    "lib/time_sync.py": "80894ef2389e540781ff78de94db16aa4203a14e",
    "server.py": "c3f90f2f7eeb4db30727556d0c815ebc89b3d28b",
    "tests/unit/__init__.py": EMPTY,
    "tests/unit/test_server.py": "948c1995d4008bc2aa6c4046a34ffa3858d6d671",
    "tests/unit/test_source_hashes.py": "00468a2907583c593e6574a1f6b404e4651c221a",
}
MODULES = {
    f"ptd_client_server.lib.{name.replace('/', '.')}": f"lib/{name}.py"
    for name in ("client", "common", "external/ntplib", "source_hashes", "summary", "time_sync")
}
PTD = "1.11.1-462c978e-20240907"
METER = "YokogawaWT310E"
NUMBER = 49
CLIENT, SERVER = "mlcommons/power client v3", "mlcommons/power server v3"
STARTED = "Starting untimed measurement, maximum 500000 samples at 1000ms with 0 rampup samples"
STOPPED = "Stopping untimed measurement"
