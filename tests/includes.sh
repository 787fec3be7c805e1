#!/usr/bin/env bash
# PL-4, WD-140: what may include what (the table of folders in docs/ARCHITECTURE.md); so no folder but its own
# knows a game, and all that the others ask stands in engine/game.h. Nor do worlds, stores and the server name a game,
# or an event that only a game tells. Prints each line that may not stand where it stands, and fails if there is one.
set -u
cd "$(dirname "$0")/.."
names=$(sed -n 's/^ *\.id = "\(.*\)",.*/\1/p' games/*/*.c
  sed -n 's/^ *CAPTION("\([^"]*\)".*/\1/p' games/*/captions.def)
[ "$(wc -w <<<"$names")" -ge 20 ] || { echo "includes.sh knows too few names of games and events"; exit 1; }
named=$(git ls-files -co --exclude-standard world store server | grep '\.[ch]$' | grep -v '_test\.c$' |
  xargs grep -nFf <(sed 's/.*/"&"/' <<<"$names") /dev/null)
[ -z "$named" ] || { echo "$named" | sed 's/$/: names a game/'; exit 1; }
git ls-files -co --exclude-standard '*.c' '*.h' | xargs grep -nE '^ *# *include' /dev/null | awk -F: '
# The folders of the server, each of which may use those before it; what lies in server/ itself knows them all.
function level(path,    parts) {
  split(path, parts, "/")
  return parts[3] == "" ? 99 : index("ops net channels rooms webpush api", parts[2])
}
function below(file, name) {
  if (level(file) == 0 || level(name) == 0) return 0 # a folder that is not listed here
  return level(file) == 99 || level(name) <= level(file) || (name == "server/app.h" && file ~ /^server\/api\//)
}
function allowed(file, name, is_system,    parts, folder, own, i) {
  split(file, parts, "/")
  folder = parts[1]
  if (file ~ /_test\.c$/ || folder == "tests" || folder == "bench") return 1
  if (file ~ /^games\/hand_and_foot\/test_support\.[ch]$/) return 1 # test support
  if (name ~ /^(tests|bench)\//) return 0
  if (is_system) {
    if (name ~ /^(stdarg|stdbool|stddef|stdint|string)\.h$/) return 1
    return folder == "cli" || folder == "store" || folder == "server" || file ~ /^formats\/egn/
  }
  if (name ~ /^engine\//) return 1
  if (folder == "engine") return 0
  if (folder == "games") {
    if (file == "games/registry.c") return name ~ /^games\//
    if (file == "games/registry.h") return 0
    return index(name, "games/" parts[2] "/") == 1
  }
  if (folder == "bots") {
    own = parts[2]; sub(/_bot\.c$/, "", own); sub(/_(solver|proposals|expert|habits|fitted|book)\.[ch]$/, "", own)
    return name ~ /^bots\// || name == "games/" own "/" own ".h"
  }
  if (folder == "world") return name ~ /^world\// || name == "games/registry.h" || name == "bots/bot.h"
  if (folder == "store") return name ~ /^store\//
  if (folder == "formats")
    return name ~ /^(formats|world)\// || name ~ /^(games\/(registry|hand_and_foot\/hand_and_foot)|bots\/bot)\.h$/
  if (folder == "server") {
    if (name ~ /^server\//) return below(file, name)
    return name ~ /^(formats|world|store)\// || name == "games/registry.h"
  }
  if (name == "version.h") return file == "cli/main.c" # made by the build
  if (folder == "cli")
    return name ~ /^(cli|formats|world|store|server)\// || name == "games/registry.h" || name ~ /^bots\//
  if (folder == "web") return name ~ /^(web|formats|world)\// || name == "games/registry.h" || name == "bots/bot.h"
  return 0
}
{
  line = $0; sub(/^[^:]*:[^:]*:/, "", line)
  system_header = line ~ /</
  name = line; gsub(/^[^<"]*[<"]|[>"].*$/, "", name)
  count++
  if (!allowed($1, name, system_header)) { print $1 ":" $2 ": may not include " name; bad++ }
}
END { if (count < 50) { print "includes.sh saw only " count " includes"; bad++ } exit bad > 0 }'
