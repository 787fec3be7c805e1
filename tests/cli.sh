#!/usr/bin/env bash
# Uses the program as people do, wrongly and rightly. Wrong use: one clear line on standard error,
# exit 2, nothing on standard output.
set -u
oyster=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
. "$here/tap.sh"

refuses() { # refuses TEXT ARGUMENT...: exit 2, the text in one line on stderr, silence on stdout
  local text=$1 code good=1
  shift
  "$oyster" "$@" >out 2>err </dev/null
  code=$?
  [ $code -eq 2 ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] && grep -qF -- "$text" err || good=0
  [ $good -eq 1 ] || { echo "# exit $code, stdout $(wc -c <out) bytes, stderr:"; sed 's/^/# /' err; }
  report $((1 - good)) "refuses: oyster $*"
}

answers() { # answers TEXT ARGUMENT...: exit 0 and the text on stdout; input from the file `in`
  local text=$1 code good=1
  shift
  "$oyster" "$@" >out 2>err <in
  code=$?
  [ $code -eq 0 ] && grep -qF -- "$text" out || good=0
  [ $good -eq 1 ] || { echo "# exit $code:"; tail -n 5 out err | sed 's/^/# /'; }
  report $((1 - good)) "answers: oyster $*"
}
: >in

refuses "there is no command 'fly'" fly
refuses "unexpected argument '--fly'" --fly
refuses "which game?" play
refuses "which game?" sim
refuses "which file?" replay
refuses "what to measure?" bench
refuses "there is no game 'chess'" play chess
refuses "there is no game 'chess'" sim chess
refuses "there is no game 'chess'" games chess
refuses "there is no game 'chess'" bench playouts chess
refuses "4 Kate needs 2 players, not 3" sim 4-kate --players 3
refuses "--players must be a number from 1 to 8, not '9'" sim up-n-down --players 9
refuses "--players must be a number from 1 to 8, not 'two'" sim up-n-down --players two
refuses "--games must be a number from 1 to" sim up-n-down --games 0
refuses "--games must be a number from 1 to" sim up-n-down --games -5
refuses "--seed must be a number" sim up-n-down --seed 1e3
refuses "--seed needs a value" sim up-n-down --seed
refuses "--bots must be one level or 4 of them" sim up-n-down --bots genius
refuses "--bots must be one level or 4 of them" sim up-n-down --bots hard,
refuses "--bots names 2 levels for 4 seats" sim up-n-down --bots hard,easy
refuses "--bots must be one level or 2 of them" sim 4-kate --bots easy,easy,easy
refuses "Unknown preset 'x'" sim up-n-down --preset x
refuses "Unknown setting 'x'" sim up-n-down --set x=1
refuses "Expected key=value, found 'handSize'" sim up-n-down --set handSize
refuses "handSize must be a number from 4 to 10" sim up-n-down --set handSize=3
refuses "8 players with 10 cards each need 80 cards, but the deck has 21" \
  sim up-n-down --players 8 --set 'handSize=10 maxCardValue=22'
refuses "--rules needs a game" games --rules
refuses "unexpected argument 'more'" sim up-n-down more
refuses "cannot read nothing.oyster" replay nothing.oyster
refuses "unexpected argument 'b'" replay a b
refuses "which game?" match
refuses "there is no game 'chess'" match chess --a hard --b easy
refuses "which levels? Try: oyster match 4-kate --a" match 4-kate
refuses "which levels?" match 4-kate --a hard
refuses "--b must be easy, medium, hard or expert, not 'genius'" match 4-kate --a hard --b genius
refuses "--a needs a value" match 4-kate --a
refuses "--games must be a number from 2 to" match 4-kate --a hard --b easy --games 1
refuses "--threads must be a number from 1 to 64" match 4-kate --a hard --b easy --threads 0
refuses "--worlds must be a number from 1 to 4096" match 4-kate --a hard --b easy --worlds 0
refuses "--worlds must be a number from 1 to 256, not '257'" match whos-deal --a hard --b easy --worlds 257
refuses "--b must be easy, medium, hard or expert, not 'rival'" match 4-kate --a hard --b rival
refuses "--sprt must be two numbers such as 0,20, not '5'" match 4-kate --a hard --b easy --sprt 5
refuses "the lower first, not '5,5'" match 4-kate --a hard --b easy --sprt 5,5
refuses "the lower first, not '0,5x'" match 4-kate --a hard --b easy --sprt 0,5x
refuses "in Up-N-Down all win or lose together" match up-n-down --a hard --b easy
refuses "3 sides cannot be shared evenly" match hand-and-foot --players 3 --a hard --b easy
refuses "unexpected argument 'more'" match 4-kate --a hard --b easy more
refuses "--seconds must be a number from 1 to 3600" bench playouts --seconds 0
refuses "--seat must be from 0 to 1" play 4-kate --seat 2
refuses "cannot write no/such/folder" play 4-kate --log no/such/folder

refuses "--name must be 1 to 24 bytes" play 4-kate --name ''
refuses "--name must be 1 to 24 bytes" play 4-kate --name 'A" b'
refuses "--name must be 1 to 24 bytes" play 4-kate --name "$(printf 'a\nb')"
printf 'oyster 1\ngame 4-kate\nseats A B*genius\n' >bad.oyster
refuses "bad.oyster:3:11: There is no bot level 'genius'" replay bad.oyster
printf 'oyster 1\ngame 4-kate\nseats \033A B\n' >bad.oyster
refuses "bad.oyster:3:7: The name" replay bad.oyster
printf 'oyster 1\ngame chess\nseats A B\n' >bad.oyster
refuses "bad.oyster:2:6: There is no game 'chess'" replay bad.oyster
printf 'oyster 1\ngame 4-kate\noptions speed=9\nseats A B\n' >bad.oyster
refuses "bad.oyster:3:9: Unknown setting 'speed'" replay bad.oyster
printf 'oyster 1\ngame 4-kate\nseats A\n' >bad.oyster
refuses "bad.oyster:3:7: 4 Kate needs 2 players, not 1" replay bad.oyster
head -c 300 /dev/urandom >bad.oyster
refuses "bad.oyster:" replay bad.oyster

# A wrong move: what came before is printed, then its line and the refusal, exit 1.
printf 'oyster 1\ngame 4-kate\nseats A B\n0 drop 4\n\n1 drop 8\n' >wrong.oyster
"$oyster" replay wrong.oyster >out 2>err
[ $? -eq 1 ] && grep -q 'drop 4' out && grep -qF 'wrong.oyster:6:3: Choose a column from 1 to 7 (INVALID_COLUMN)' err
report $? 'a wrong move is named with its line, exit 1'
"$oyster" replay wrong.oyster --json >out 2>err
[ $? -eq 1 ] && [ "$(wc -l <out)" -eq 1 ] && ! grep -q result out
report $? 'a wrong move ends the JSON as well'

# Names with a hash survive the log; a full disk is not success; a long line is no move.
echo quit >in
"$oyster" play 4-kate --name 'D # ee' --log hash.oyster >out <in && "$oyster" replay hash.oyster >out 2>err
report $? 'a name with a hash can be read back'
if [ -e /dev/full ]; then
  ! "$oyster" games >/dev/full 2>err && grep -q 'cannot write' err
  report $? 'output that does not arrive is a failure'
fi
{ head -c 4095 /dev/zero | tr '\0' x; echo 4; } >in
answers 'That line is too long.' play 4-kate --seed 1
! grep -q 'drop 4$' out
report $? 'the tail of a long line is not a move'
printf '1\n1\n1\n1\n1\n1\n1\n5\nquit\n' >in
answers 'There is no move 1 in the list' play 4-kate --seed 2 --bots easy
answers 'Bubblebot (jellyfish, easy) plays with you.' play 4-kate --bots easy
answers 'Jellybot (jellyfish, medium), Snapperbot (turtle, hard) and Inkybot (octopus, easy) play' play whos-deal \
  --bots easy,medium,hard,easy
: >in
answers 'Cy takes 2 with KS KH.' replay --words "$here/../games/hand_and_foot/golden/closers_pickup.oyster"
answers 'Usage' --help
answers 'Usage'
version=$(sed -n "s/^  version: '\(.*\)',/\1/p" "$here/../meson.build")
answers "oyster $version (" --version
grep -qx "## $version" "$here/../CHANGELOG.md" && head -n 1 "$here/../debian/changelog" | grep -qF "oyster ($version) "
report $? 'notes and package have the same version'
! "$oyster" serve --store rediss://u:p@127.0.0.1:1 >out 2>err </dev/null &&
  grep -qE 'Redis with TLS \(rediss://\) cannot be used|Redis cannot be reached' err && ! grep -q u:p err
report $? 'a store that cannot be had is refused by name'
refuses 'Redis cannot be reached' check redis+sentinel://127.0.0.1:1/m
answers 'oyster sim GAME' sim --help
answers '--players N' sim up-n-down --help
answers '"cpu_ms_p99": ' sim up-n-down --games 2 --times --json
answers 'CPU ms per decision, p99 ' sim up-n-down --games 2 --times
answers 'The settings are right.' serve --check-config --listen '*:80'
refuses 'listen must be an address' serve --check-config --listen nowhere
refuses "cannot be generated" generate nonsense
refuses 'what? Try' generate
answers '.SS oyster match GAME' generate man
answers '#listen = 127.0.0.1:8080' generate conf
"$oyster" generate conf | sed 's/^#\([a-z]\)/\1/' >all.conf
answers 'The settings are right.' serve --check-config --config all.conf
for page in man conf-man; do
  "$oyster" generate $page >page
  ! grep -q "[^\\\\]--" page && [ -z "$(command -v groff >/dev/null && groff -man -ww -z page 2>&1)" ]
  report $? "the manual page '$page' has no faults"
done
# At a terminal the table stays in its place; `script` gives the program one.
at_terminal() { # at_terminal KEYS ARGUMENT...: what a terminal gets while these keys are pressed, in `out`
  local keys=$1
  shift
  printf "$keys" | timeout 20 env LANG=C.UTF-8 script -qec "'$oyster' $*" /dev/null >out 2>err
}
has() { # has NAME TEXT: somewhere in `out`, with \033 for escape
  grep -qF "$(printf "$2")" out
  report $? "$1"
}
export TERM=xterm
at_terminal 'help\rzzz\rquit\r' play whos-deal --seed 3
has 'a terminal shows suits as signs, in colour' '\033[1;31mQ♥\033[0m'
has 'the table stays in its place' '\033[H'
has 'what is typed wrongly is told below it' "Unknown move 'zzz'"
has 'a terminal is told of Tab' 'Tab completes'
has 'the window is given back at the end' '\033[?1049l'
for line in 'discard ZZ' discard 'call x' 'play 9' 'meld ZZ ZZ'; do
  for game in whos-deal hand-and-foot up-n-down 4-kate terrible-people; do
    printf '%s\nquit\n' "$line" | "$oyster" play "$game" --seed 3 >out 2>&1
    report $? "$game: '$line' ends nothing"
  done
done
at_terminal 'dis\t9\t\rquit\r' play whos-deal --seed 3 --log tab.oyster
grep -qx '0 discard 9H' tab.oyster
report $? 'Tab completes a move'
at_terminal 'discard 9 hearts\rquit\r' play whos-deal --seed 3 --log spoken.oyster
grep -qx '0 discard 9H' spoken.oyster
report $? 'a move is understood as people say it, and recorded as records have it'
# Whole games at a terminal, with the first move of each list, at 4 Kate one column after the other.
# Enter alone goes on where nothing is asked.
whole=$(printf '1\\r\\r%.0s' $(seq 400))
columns=$(printf '%s\\r\\r' $(for i in $(seq 10); do seq 7; done))
for row in \
  'whos-deal:Your call: order it up, or pass.|turn: play a card.|lead: play a card.|takes the trick.|1 point. Team A ' \
  '4-kate:Your turn: drop a disc.|You drop in column |Bubblebot drops in column ' \
  'up-n-down:Your turn: 2 cards.|Play on, or end the turn.|Inkybot plays 99 on pile 1, a jump of '; do
  game=${row%%:*}
  keys=$whole
  [ "$game" = 4-kate ] && keys=$columns
  at_terminal "$keys" play "$game" --seed 3 --bots easy --log whole.oyster
  grep -q 'Game over' out
  report $? "a whole game of $game at a terminal"
  hints=${row#*:}
  while [ -n "$hints" ]; do
    has "$game at a terminal says: ${hints%%|*}" "${hints%%|*}"
    [ "$hints" = "${hints#*|}" ] && hints='' || hints=${hints#*|}
  done
  "$oyster" replay whole.oyster --json | tail -n 1 | grep -q '"over":true'
  report $? "the log of that game of $game replays"
done
NO_COLOR=1 at_terminal 'quit\r' play whos-deal --seed 3
has 'NO_COLOR leaves the signs' 'Q♥'
! grep -qF "$(printf '\033[1;31m')" out
report $? 'NO_COLOR leaves colours off'
TERM=dumb at_terminal 'quit\n' play whos-deal --seed 3
! grep -q "$(printf '\033')" out && grep -q 'QH' out
report $? 'a dumb terminal gets plain text'
echo quit | "$oyster" play whos-deal --seed 3 >out
! grep -q "$(printf '\033')\|♥" out && grep -q 'QH' out
report $? 'a pipe gets plain text'
# A window of another size, and what fits it. `script` passes keys on one by one, as they come.
in_window() { # in_window ROWS COLUMNS ARGUMENT...: what such a terminal gets, in `out`; keys from the file `keys`
  local size="rows $1 cols $2"
  shift 2
  timeout 30 env LANG=C.UTF-8 script -qec "stty $size; exec '$oyster' $*" /dev/null <keys >out 2>err
}
picture() { # the picture that was drawn last before the end, without colours, a row on each line
  tr -d '\r' <out | sed 's/\x1b\[[0-9;]*m//g' | awk -v RS='\033\\[H' 'NF { last = $0 } END { print last }' |
    sed 's/\x1b\[[0-9;?]*[A-Za-z]//g'
}
{ printf '1\r%.0s' $(seq 36); printf 'quit\r'; } >keys
in_window 24 80 play hand-and-foot --seed 5 --bots hard
picture >picture
[ "$(grep -c . picture)" -le 24 ] && [ "$(grep -cE '^[A-Z][a-z]+ (draw|lay|discard|add|complete|take)' picture)" -ge 2 ]
report $? 'two captions are in sight late in a round of Hand & Foot'
grep -q '^> You .*hand' picture && ! grep -q '^  score' picture
report $? 'the score of a player alone needs no row'
printf '/table\r\r\r\rquit\r' >keys
in_window 8 40 play hand-and-foot --seed 5
has 'a table that has more rows than the window is shown page by page' 'Enter goes on.'
tr -d '\r' <out | grep -c 'Enter goes on' >count
[ "$(cat count)" -ge 2 ]
report $? 'and goes on with Enter'
# The window gets smaller while a key is awaited: the picture is drawn anew at once.
{ sleep 2; printf 'quit\r'; } | timeout 20 env LANG=C.UTF-8 script -qec "stty rows 24 cols 80
  tty=\$(tty); (sleep 1; exec stty -F \$tty rows 18 cols 60) &
  exec '$oyster' play whos-deal --seed 3" /dev/null >out 2>err
[ "$(grep -o "$(printf '\033')\[H" out | wc -l)" -ge 3 ] && grep -q 'trump hearts, called by Squidbot' out
report $? 'a new size of the window draws the picture anew'
for game in whos-deal hand-and-foot up-n-down 4-kate terrible-people; do
  printf '/turn\n/hand\n/score\n/last\n/suggest\n/table\n/help\nlast\nquit\n' >in
  answers '/suggest: ' play $game --seed 3 --log asked.oyster
  ! grep -q 'Unknown move' out && grep -q '^> Suggested: [a-z]' out && grep -qE '^> (Your hand: |You hold nothing)' out
  report $? "$game: questions are answered"
  ! grep -q '^0 ' asked.oyster
  report $? "$game: a question is no move"
done
echo quit >in
"$oyster" play up-n-down --seed 3 --players 1 >plain <in
printf '/suggest\nquit\n' | "$oyster" play up-n-down --seed 3 --players 1 >asked
[ "$(grep -c '^  pile' asked)" -eq "$(grep -c '^  pile' plain)" ]
report $? 'a suggestion plays nothing'
printf '/hand\n/score\n/discard 9 hearts\nquit\n' >in
answers 'Your hand: 10S QS 9H QH KH AH.' play whos-deal --seed 3 --log slash.oyster
grep -q 'You and Turtlebot 0, Jellybot and Squidbot 0.' out && grep -qx '0 discard 9H' slash.oyster
report $? 'a slash may stand before a move'
printf '/hand\nquit\n' >in
answers 'Your hand: 11 12 21 45 72 80 98.' play up-n-down --seed 3
at_terminal 'quit\r' play whos-deal --seed 3 --bots easy,medium,hard,expert
has 'the level and the face of a bot stand at its seat' 'B Krakenbot 🐙 expert'
LANG=C LC_ALL=C at_terminal 'quit\r' play 4-kate --bots easy
has 'also where two seats share a row' 'Bubblebot (easy)'
at_terminal '4\rquit\r' play 4-kate --seed 3
has 'a disc has the colour of its side' '\033[1;31mX\033[0m'
has 'and that of the other side another one' '\033[1;33mO\033[0m'
NO_COLOR=1 at_terminal '4\rquit\r' play 4-kate --seed 3
! grep -qF "$(printf '\033[1;3')" out && grep -qE '[.O] X|X [.O]' out
report $? 'NO_COLOR leaves discs without colours'
at_terminal 'd\t\t1\rquit\r' play 4-kate
has 'a second Tab lists what fits' '  drop 1            drop 2'
at_terminal 'd\t1\rquit\r' play 4-kate
! grep -qF '  drop 1            drop 2' out
report $? 'one Tab lists nothing'
at_terminal 'discard 9 h\t\rquit\r' play whos-deal --seed 3
has 'Tab completes a card as people say it' '> discard 9 hearts'
at_terminal 'discard king\t\rquit\r' play whos-deal --seed 3
has 'also by the name of its rank' '> discard king hearts'
at_terminal '/suggest\r\033[A\rquit\r' play 4-kate --log up.oyster
grep -qx '0 drop 4' up.oyster
report $? 'the arrow up brings what was suggested'
"$oyster" generate bash >bash.sh
completes() { # completes EXPECTED WORD...: among what bash offers for the last word
  local expected=$1
  shift
  bash -c 'source ./bash.sh; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
    _oyster; printf "%s\n" "${COMPREPLY[@]}"' - "$@" |
    grep -qxe "$expected"
  report $? "bash completes '$*' with '$expected'"
}
completes sim oyster s
completes --bots oyster sim --b
completes whos-deal oyster play who
completes expert oyster sim up-n-down --bots e
completes --store oyster serve --sto
completes json oyster serve --log-format j
"$oyster" generate zsh >zsh.sh
! command -v zsh >/dev/null || zsh -n zsh.sh && grep -q "'match:" zsh.sh
report $? 'zsh reads its completions'
"$oyster" generate fish >fish.fish
! command -v fish >/dev/null ||
  fish -N -c 'source fish.fish; complete -C "oyster mat"' | grep -q "^match" && grep -q match fish.fish
report $? 'fish completes a command'
answers '4-kate' games
answers 'minCardsPerTurn=2 (1 to 3)' games up-n-down
answers '"id":"terrible-people","name":"Terrible People"' games --json
answers '"sides": [{"name": "everybody", "wins": ' sim up-n-down --players 3 --games 20 --json
answers '"sides": [{"name": "seat 0", "wins": ' sim 4-kate --games 20 --bots medium,easy --json
answers '"state_bytes": 24}' bench playouts 4-kate --json

# The table of moves in each RULES.md is the one that the program prints.
for id in $("$oyster" games --json | grep -oE '"id":"[^"]*","name"' | cut -d'"' -f4); do
  "$oyster" games "$id" --moves >moves
  found=no
  for rules in "$here"/../games/*/RULES.md; do
    awk 'NR == FNR { want[++n] = $0; next } at < n && $0 == want[at + 1] { at++ } END { exit !(n > 3 && at == n) }' \
      moves "$rules" && found=yes
  done
  [ $found = yes ]
  report $? "the notation in RULES.md of $id is that of its verbs"
done

# The same seed gives the same games.
"$oyster" sim up-n-down --games 50 --seed 7 --json | sed 's/"games_per_cpu_s.*//' >one
"$oyster" sim up-n-down --games 50 --seed 7 --json | sed 's/"games_per_cpu_s.*//' >two
"$oyster" sim up-n-down --games 50 --seed 8 --json | sed 's/"games_per_cpu_s.*//;s/"seed": 8/"seed": 7/' >three
cmp -s one two && ! cmp -s one three
report $? 'a simulation is a function of its seed'

# A match: a level against itself wins half within the interval, and the number of threads changes
# nothing but the times.
number() { grep -oE "\"$1\": [-0-9.]+" | head -n 1 | cut -d' ' -f2; }
for game in 'whos-deal --a hard --b hard --worlds 4' 'terrible-people --a medium --b medium' \
  'hand-and-foot --players 2 --a medium --b medium'; do
  "$oyster" match $game --games 200 --seed 4 --json >out 2>err
  awk -v low="$(number low <out)" -v high="$(number high <out)" \
    'BEGIN { exit !(low < 0.5 && 0.5 < high && high - low < 0.2) }'
  report $? "a level against itself wins half: oyster match $game"
done
# Easy needs no chance there, so it plays the second game of each pair as the first one, on the other side.
"$oyster" match whos-deal --a easy --b easy --games 60 --seed 4 --json >out
[ "$(number win_rate <out) $(number points_per_deal <out) $(number points_low <out) $(number points_high <out)" = \
  '0.500000 0.000000 0.000000 0.000000' ]
report $? 'both games of a pair have the same deals, with the sides changed'
for threads in 1 3; do
  "$oyster" match whos-deal --a medium --b easy --games 61 --seed 5 --sprt 0,200 --threads $threads --json |
    sed -E 's/"cpu_ms[^,}]*//g' >threads$threads
done
cmp -s threads1 threads3 && grep -q '"verdict": "accepted"' threads1
report $? 'a match is the same with one thread and with three, and ends when it is decided'
"$oyster" match whos-deal --a easy --b medium --games 61 --seed 5 --json >out
[ "$(number games <out)" = 62 ] && [ "$(number seed <out)" = 5 ] &&
  awk -v a="$(number win_rate <out)" -v points="$(number points_per_deal <out)" \
  'BEGIN { exit !(a < 0.5 && points < 0) }'
report $? 'a match of 61 games is 31 pairs, and the weaker level loses it'
answers 'b rival' match whos-deal --a medium --b rival --games 2 --worlds 1
answers 'points per deal' match 4-kate --a medium --b easy --games 10
some='[0-9.]+'
"$oyster" match 4-kate --a medium --b easy --games 10 --json | tr -d '"' |
  grep -qE "b: \{level: easy, win_rate: $some, low: $some, high: $some, cpu_ms_mean: $some, cpu_ms_p99: $some"
report $? 'a match tells rates, intervals and times of both'

# A person plays a whole game with numbers and words, and the log replays.
for game in 4-kate up-n-down terrible-people; do
  # Any number that is listed: a move's own where it has one, else its place.
  { echo nonsense; echo 999; for _ in $(seq 60); do seq 1 480; done; } >in
  "$oyster" play $game --seed 3 --bots easy --name 'Ann Lee' --log $game.oyster >out 2>err <in
  [ $? -eq 0 ] && grep -q 'Game over' out && grep -q 'There is no move 999' out && grep -q "Unknown move 'nonsense'" out
  report $? "a person plays $game to its end"
  "$oyster" replay $game.oyster --json >out 2>err
  [ $? -eq 0 ] && tail -n 1 out | grep -q '"over":true'
  report $? "the log of that game of $game replays"
done
# UD-17, PL-57: the detailed log is asked for by the setting, and shows a person only what the seat may see.
yes 1 | head -n 200 >in
answers '* card-played {"seatIndex":0,' play up-n-down --players 2 --seed 3 --set debugMode=yes
! grep -q 'hand-updated to 1' out
report $? 'the detailed log hides what is not for this seat'
answers '* disc-dropped {"seatIndex":0,' play 4-kate --debug
echo quit >in
answers 'Terrible People' play terrible-people
# HF-98 to HF-100: a saved game is a record that goes on, and comes back as the same save.
golden=$here/../games/hand_and_foot/golden/classic_round.oyster
: >in
head -n -2 "$golden" >part.oyster
refuses "as what?" export part.oyster
refuses "try: oyster export --finished" export --finished redis://127.0.0.1:1/0
refuses "Only a store on Redis is exported" export --finished memory games.db
refuses "as what?" export --egn --save part.oyster
refuses "--seed and --time belong to --save" export --egn part.oyster --seed 1
refuses "--seed must be a number or 64 hex digits, not 'x'" export --save part.oyster --seed x
refuses "--time must be written as 2025-12-04T10:30:00Z, not 'now'" export --save part.oyster --time now
refuses "There are no saves of '4-kate'" export --save "$here/../games/four_kate/golden/row.oyster"
refuses "this is not EGN and not a saved game" export --oyster part.oyster
time=2025-12-04T10:30:00Z
answers '{"version":"1.0","game":"hand-and-foot","gameSeed":12345,"gameState":{"phase":"playing","round":1,' \
  export --save part.oyster --seed 12345 --time $time
mv out save.json
answers 'position round 1 phase playing' export --oyster save.json
mv out taken_up.oyster
answers '"gameSeed":12345' export --save taken_up.oyster --time $time
cmp -s out save.json
report $? 'HF-100 a save that became a record becomes the same save'
answers 'round 1   deck 111' replay save.json
tail -n 2 "$golden" >>taken_up.oyster
"$oyster" replay "$golden" --json | tail -n 1 >whole
"$oyster" replay taken_up.oyster --json | tail -n 1 >rest
cmp -s whole rest && grep -q '"scores":\[1175,-440\]' rest
report $? 'HF-100 the game that was taken up ends as the other'
"$oyster" export --save "$golden" --seed 12345 --time $time >whole
"$oyster" export --save taken_up.oyster --time $time >rest
cmp -s whole rest
report $? 'HF-100 and it is the same to the last card'
answers '"timestamp":"20' export --save part.oyster
sed 's/\(.*\)"rank":"king"/\1"rank":"queen"/' save.json >bad.json
refuses 'bad.json: QC is there 4 times, it must be there 3 times (BAD_SAVE)' export --oyster bad.json
refuses 'bad.json: QC is there 4 times, it must be there 3 times (BAD_SAVE)' replay bad.json
sed 's/^position round 1/position round x/' taken_up.oyster >bad.oyster
refuses "bad.oyster:5:16: Position, round: expected a number from 0 to 255, found 'x' (BAD_POSITION)" replay bad.oyster
sed 's/deals 1$/deals 0/' taken_up.oyster >odd.oyster
answers '"shuffleCount":1' export --save odd.oyster
exit $failed
