#!/usr/bin/env bash
# docs/REQUIREMENTS.md has every id once, in order, and names only what there is; every id is named by a test.
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
# Tests write `HF-33`, `HF_33_unlock...` or `HF-17 to HF-36`; a bench counts where speed is asked for.
named=$(git ls-files -co --exclude-standard | grep -E '_test\.c$|\.test\.ts$|^(tests|bench)/' |
  grep -vE '/corpus/|requirements\.sh' |
  xargs grep -ohiE '(PL|HF|TF|HT|WD|UD|TP|FK)[-_][0-9]+([ _]to[ _](PL|HF|TF|HT|WD|UD|TP|FK)[-_][0-9]+)?' |
  awk '{
    gsub(/_/, " "); gsub(/-/, " "); kind = toupper($1)
    for (n = $2; n <= (NF == 5 ? $5 : $2); n++) print kind "-" n
  }' | sort -u)
unmet=" WD-148 WD-149 WD-150 "
for kind in "${!last[@]}"; do
  for ((n = 1; n <= last[$kind]; n++)); do
    grep -qx "$kind-$n" <<<"$named" || [[ $unmet = *" $kind-$n "* ]] || complain "no test names $kind-$n"
  done
done
# PL-58
for document in README.md docs/ARCHITECTURE.md docs/GUIDE.md; do
  [ -s "$document" ] || complain "there is no $document"
done
exit $wrong
