#!/usr/bin/env bash
# docs/REQUIREMENTS.md has every id once, in order, and names only what there is.
set -eu
cd "$(dirname "$0")/.."
table=docs/REQUIREMENTS.md
declare -A last=([PL]=58 [HF]=162 [TF]=30 [HT]=67 [WD]=150 [UD]=75 [TP]=9 [FK]=7) seen=()
wrong=0
complain() { echo "$table: $*" >&2; wrong=1; }
while read -r kind from to; do
  [ "$from" -eq $((${seen[$kind]:-0} + 1)) ] || complain "$kind-$from follows $kind-${seen[$kind]:-0}"
  seen[$kind]=$to
done < <(sed -nE 's/^\| ([A-Z]{2})-([0-9]+) – \1-([0-9]+) \|.*/\1 \2 \3/p' $table)
for kind in "${!last[@]}"; do
  [ "${seen[$kind]:-0}" -eq "${last[$kind]}" ] || complain "$kind ends with ${seen[$kind]:-nothing}, not ${last[$kind]}"
done
while read -r path; do
  [ -e "$path" ] || complain "there is no $path"
done < <(grep '^|' $table | grep -oE '`[^`]+`' | tr -d '`' | grep /)
exit $wrong
