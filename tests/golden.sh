#!/usr/bin/env bash
# Replays every record under games/*/golden and compares what is printed with the .txt beside it:
#   tests/golden.sh OYSTER            compare; a line "ok - ..." or "not ok - ..." each
#   tests/golden.sh OYSTER --write    write the .txt files anew
# A record named wrong_* must end with a refused line and exit 1, all others with exit 0.
set -u
oyster=$(realpath "$1")
cd "$(dirname "$0")/.."
failed=0 changed=0
for record in games/*/golden/*.oyster; do
  expected=${record%.oyster}.txt
  found=$(cd "$(dirname "$record")" && "$oyster" replay --show --events "$(basename "$record")" 2>&1; echo "exit $?")
  if [ "${2:-}" = --write ]; then
    printf '%s\n' "$found" | diff -q - "$expected" >/dev/null 2>&1 || changed=1
    printf '%s\n' "$found" >"$expected"
    continue
  fi
  exit_code=0
  case $record in */wrong_*) exit_code=1 ;; esac
  if difference=$(diff <(printf '%s\n' "$found") "$expected" 2>&1) && [ "${found##*exit }" = "$exit_code" ]; then
    echo "ok - $record"
  else
    echo "not ok - $record"
    printf '%s\n' "$difference" | head -n 20 >&2
    failed=1
  fi
done
[ $changed = 0 ] ||
  echo "Read the diff. If a game judges moves differently now, its rules in struct game need the next number."
exit $failed
