#!/bin/bash
# judge_forms.sh BIN: tests that `ordo-net judge` finds the same in every form of a log (judge_forms.py).
set -u
. "$(dirname "$0")/../kit.sh"
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
python3 "$(dirname "$0")/judge_forms.py" "$1" "$scratch"
