#!/bin/bash
# no_rdtscp.sh ORDO: checks that every command ends with a documented exit code and explains it, on a processor whose
# CPUID offers neither RDTSCP nor a constant rate. RDTSCP raises #UD there.
set -u
ordo=$1
emulator=qemu-x86_64-static
command -v $emulator >/dev/null && [ "$(uname -m)" = x86_64 ] || { echo "no emulator of another x86-64"; exit 77; }
old="$emulator -cpu qemu64"
$old "$ordo" --version >/dev/null 2>&1 || { echo "the emulator does not run this program"; exit 77; }
. "$(dirname "$0")/../kit.sh"
export ORDO_RECORD=$scratch/boundary
few="--runs 100 --repeat 2 --quiet"

# ends CODES COMMAND...: the command must exit with one of these codes, such as "0 2", and not by a signal.
ends() {
    local codes=$1 code
    shift
    timeout 300 $old "$ordo" "$@" >"$scratch/out" 2>"$scratch/err" </dev/null
    code=$?
    case " $codes " in *" $code "*) ;; *) fail "$*: exit $code, expected one of $codes" ;; esac
}

# Checks that RDTSCP raises an exception in the emulator.
printf 'int main(void) { unsigned a, d; __asm__ volatile("rdtscp" : "=a"(a), "=d"(d) : : "rcx"); return 0; }' >"$scratch/probe.c"
"${CC:-cc}" "$scratch/probe.c" -o "$scratch/probe" || exit 1
(ulimit -c 0; exec $old "$scratch/probe") >/dev/null 2>&1 && { echo "the emulator executes RDTSCP"; exit 77; }
ulimit -c 0

ends "0" topology && mentions incapable
ends "0" advise
ends "1 2" check --quick && mentions "incapable"
ends "1 2" calibrate $few && mentions "incapable"
ends "0 1 2" calibrate $few --force # this emulator's reads of the clock are not ordered, which a calibration notices only by chance
ends "0 1 2" show
ends "0 1 2" check --runs 100 --quiet
ends "0 1 2" watch --once --quiet --log "$scratch/log"
ends "0 2" clocks --seconds 0.1
[ $failures -eq 0 ] || echo "$failures failures"
exit $((failures != 0))
