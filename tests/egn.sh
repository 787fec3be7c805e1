#!/usr/bin/env bash
# EGN, read and written: tests/egn.sh OYSTER. In tests/egn, wrong_* hold a contradiction (exit 1 with
# the deal and the trick), bad_* are of a wrong shape (exit 2); all others replay. Where all cards are
# known, a file comes back as it was; where not, what was filled in stays.
set -u
oyster=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
samples=$here/egn
. "$here/tap.sh"

# same A B: are two EGN files the same but for the order of members, numbers of phases and an isAlone
# that says nothing?
same() {
  node -e '
    const [a, b] = process.argv.slice(1).map((name) => JSON.parse(require("fs").readFileSync(name)));
    const plain = (json) => {
      for (const deal of json.deals) for (const phase of deal.phases) {
        delete phase.phaseNumber;
        if (phase.type === "EUCHRE_BIDDING") phase.isAlone ??= false;
      }
      return json;
    };
    try { require("assert").deepStrictEqual(plain(a), plain(b)); }
    catch (error) { console.log(error.message); process.exit(1); }
  ' "$1" "$2" | sed 's/^/# /'
  return "${PIPESTATUS[0]}"
}

moves() { grep -v '^#' "$1"; }
hashes() { "$oyster" replay --json "$1" | grep -oE '"hash":"[0-9a-f]+"|"result".*'; }

# there_and_back EGN NAME: over a record and back, with the same hashes on both ways
there_and_back() {
  "$oyster" export --oyster "$1" >there.oyster && "$oyster" export --egn there.oyster >back.egn &&
    "$oyster" export --oyster back.egn >again.oyster && same "$1" back.egn &&
    cmp -s <(moves there.oyster) <(moves again.oyster) && cmp -s <(hashes "$1") <(hashes again.oyster)
  report $? "$2 comes back as it was"
}

for name in complete loner stuck_dealer passed_out defend_alone farmers_hand kept_upcard; do
  "$oyster" replay "$samples/$name.egn" >out 2>err && grep -q '^game over' out
  report $? "$name.egn replays to the end"
  there_and_back "$samples/$name.egn" "$name.egn"
done

# Unknown cards are filled in once; from then on it is a file like any other.
for name in unknown tricks_only partial legacy unseen unseen_stream unseen_kitty; do
  "$oyster" replay "$samples/$name.egn" >out 2>err
  report $? "$name.egn replays"
  "$oyster" export --egn "$samples/$name.egn" >filled.egn && ! grep -qE '"(X.|.x|R|L|N[shdc]|)"' filled.egn
  report $? "$name.egn has no unknown card any more"
  there_and_back filled.egn "$name.egn, filled in,"
done
"$oyster" replay "$samples/tricks_only.egn" | tail -n 1 >one
"$oyster" replay "$samples/complete.egn" | tail -n 1 >two
cmp -s one two
report $? 'without hands and discards the same game has the same result'

# WD-C28: cards that nobody saw are left out, or written as "". Both are the same.
unseen() { # unseen EGN "" or unseen EGN: hands, kitty, discards and cards turned down, written so or left out
  node -e '
    const [name, ...sign] = process.argv.slice(1), json = JSON.parse(require("fs").readFileSync(name));
    const hide = (object, key, value) => { if (sign.length) object[key] = value; else delete object[key]; };
    for (const { initialState, phases } of json.deals) {
      hide(initialState, "playerCards", Array(4).fill(Array(5).fill("")));
      hide(initialState, "kitty", Array(3).fill(""));
      if (phases[0].calls.at(-1) !== "Order") hide(initialState, "upCard", "");
      hide(phases[0], "discard", "");
      delete phases[0].callAnnotations;
    }
    console.log(JSON.stringify(json));
  ' "$@"
}
for name in complete loner stuck_dealer defend_alone farmers_hand kept_upcard legacy; do
  unseen "$samples/$name.egn" "" >empty.egn && unseen "$samples/$name.egn" >left_out.egn &&
    "$oyster" export --oyster empty.egn >one 2>err && "$oyster" export --oyster left_out.egn >two 2>>err &&
    cmp -s <(moves one) <(moves two)
  report $? "$name.egn: unseen cards written as \"\" are those that are left out"
done
cmp -s <("$oyster" export --oyster "$samples/unseen.egn" | moves -) \
  <("$oyster" export --oyster "$samples/tricks_only.egn" | moves -)
report $? 'unseen.egn is tricks_only.egn'
sed 's/player_cards/playerCards/' "$samples/unseen_kitty.egn" >renamed.egn
"$oyster" export --oyster "$samples/unseen_kitty.egn" >one && "$oyster" export --oyster renamed.egn >two &&
  cmp -s <(moves one) <(moves two) &&
  grep -q '^- deal .*JH 9S KS 9H KH' one
report $? 'unseen_kitty.egn: hands are read by their old name'

# A lone hand's tricks may have four places, with "" for whoever sits out.
for name in loner defend_alone; do
  node -e '
    const json = JSON.parse(require("fs").readFileSync(process.argv[1]));
    for (const { phases } of json.deals)
      for (const { tricks = [] } of phases)
        for (const [i, trick] of tricks.entries()) while (trick.length < 4) trick.splice((i + trick.length) % 4, 0, "");
    console.log(JSON.stringify(json));
  ' "$samples/$name.egn" >four.egn
  "$oyster" export --oyster four.egn >one 2>err && "$oyster" export --oyster "$samples/$name.egn" >two &&
    cmp -s <(moves one) <(moves two)
  report $? "$name.egn: a trick may have a place for who sits out"
done

# What the file says of seats: seat 3 dealt first and is our seat 0; the record keeps it in a comment.
"$oyster" export --oyster "$samples/complete.egn" >rotated.oyster
grep -q '^seats "Xaver Øst" Ulla "Vic' rotated.oyster && grep -q '^# egn {"dealer":3,' rotated.oyster
report $? 'the first dealer becomes seat 0'

# A record of ours, dealt from seeds, to EGN and back: the same moves and the same hashes.
for seed in 1 2 3; do
  yes 1 | head -n 2000 |
    "$oyster" play whos-deal --seed $seed --bots easy --set targetScore=5 --log own.oyster >out 2>err
  "$oyster" export --egn own.oyster >own.egn && cmp -s <(hashes own.oyster) <(hashes own.egn)
  report $? "a game of ours (seed $seed) has the same hashes as EGN"
  there_and_back own.egn "a game of ours (seed $seed)"
done

refuses() { # refuses EXIT FILE TEXT: that exit code, and the text in one line on stderr
  "$oyster" replay "$samples/$2" >out 2>err
  [ $? -eq "$1" ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] && grep -qF -- "$2: $3" err
  report $? "refuses $2: $3"
}
refuses 1 wrong_not_in_hand.egn 'deal 2, trick 3:'
refuses 1 wrong_played_twice.egn 'deal 2, trick 4: Kc is played twice'
refuses 1 wrong_revoke.egn 'deal 1, trick 2:'
refuses 1 wrong_revoke_seen_later.egn 'deal 1, trick 2:'
refuses 1 wrong_nothing_fits.egn 'deal 1, trick 5:'
refuses 1 wrong_lead.egn 'deal 2, trick 1: it is the turn of'
refuses 1 wrong_no_trick.egn 'deal 1, trick 5: the trick is missing'
refuses 1 wrong_short_trick.egn 'deal 1, trick 3: the trick has 3 cards, not 4'
refuses 1 wrong_long_trick.egn 'deal 1, trick 2: the trick has more than 3 cards'
refuses 1 wrong_six_tricks.egn 'deal 2, trick 6:'
refuses 1 wrong_final_score.egn 'deal 5, trick 5: the score is 6 to 2 in the end, not 7 to 2'
refuses 1 wrong_after_the_end.egn 'deal 5, trick 5: the game is over, but deal 6 follows'
refuses 1 wrong_dealer.egn 'deal 2: seat 2 deals out of turn; it is seat 0'
refuses 1 wrong_dealt_twice.egn 'deal 2: Td is dealt twice'
refuses 1 wrong_discard.egn 'deal 1: Xaver'
refuses 1 wrong_discard_not_ordered.egn 'deal 5: the dealer discards, but nobody ordered up'
refuses 1 wrong_called_suit.egn 'deal 5:'
refuses 1 wrong_must_call.egn 'deal 2:'
refuses 1 wrong_calls_on.egn 'deal 1: somebody calls after trump is made'
refuses 1 wrong_not_all_called.egn 'deal 1: nobody calls trump'
refuses 1 wrong_defender.egn 'deal 2: somebody defends alone'
refuses 2 bad_json.egn '33:0:'
refuses 2 bad_file_type.egn "fileType must be 'Euchre Game Notation'"
refuses 2 bad_version.egn 'this version of EGN is not known'
refuses 2 bad_packed.egn 'deal 1: this one is packed'
refuses 2 bad_joker.egn "ruleset: Who's Deal? does not have this 'joker'"
refuses 2 bad_rule.egn "ruleset: Who's Deal? does not have this 'misere'"
refuses 2 bad_target.egn 'metadata: winning_score is 9'
refuses 2 bad_card.egn "deal 1: '7s' is no card of this deal"
refuses 2 bad_call.egn "deal 1: the call 'x' cannot be replayed"
refuses 2 bad_players.egn 'metadata: players must be'
refuses 2 bad_no_phases.egn 'deal 1: phases are missing'
refuses 2 bad_score.egn 'metadata: initialScore must be'
refuses 2 bad_upcard.egn 'deal 1: the suit of upCard must be known'

usage() { # usage EXIT TEXT ARGUMENT...
  local code=$1 text=$2
  shift 2
  "$oyster" export "$@" >out 2>err </dev/null
  [ $? -eq "$code" ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] && grep -qF -- "$text" err
  report $? "export $*: $text"
}
printf 'oyster 1\ngame 4-kate\nseats A B\n0 drop 4\n' >kate.oyster
printf 'oyster 1\ngame whos-deal\nseats A B C D\n0 pass\n' >early.oyster
usage 2 'as what?' "$samples/complete.egn"
usage 2 'which file?' --egn
usage 2 "EGN is about euchre, not about '4-kate'" --egn kate.oyster
usage 1 'early.oyster: 4:3:' --egn early.oyster
usage 2 'this is not EGN' --oyster kate.oyster

# Files with changed bytes and files that were cut are answered and never crash the program.
node -e '
  const fs = require("fs"), [folder] = process.argv.slice(1);
  let state = 12345;
  const below = (bound) => (state = (state * 48271) % 2147483647) % bound;
  const names = fs.readdirSync(folder).filter((name) => name.endsWith(".egn"));
  for (let i = 0; i < 200; i++) {
    let data = Buffer.from(fs.readFileSync(`${folder}/${names[below(names.length)]}`));
    for (let changes = below(4); changes >= 0; changes--) {
      const at = below(data.length);
      data[at] = below(3) === 0 ? below(256) : "9TJQKAXxshdc0123[]{},"[below(22)]?.charCodeAt(0) ?? 34;
    }
    if (below(5) === 0) data = data.subarray(0, below(data.length));
    fs.writeFileSync(`changed${i}.egn`, data);
  }' "$samples"
crashed=0
for file in changed*.egn; do
  timeout 60 "$oyster" export --egn "$file" >out 2>err
  [ $? -le 2 ] || { crashed=1; echo "# $file:"; head -n 5 err | sed 's/^/# /'; }
done
report $crashed '200 files with changed bytes: no crash'
# A game that was begun elsewhere: its first score counts in the result.
"$oyster" export --oyster "$samples/partial.egn" >out 2>err && grep -q '^options .*startScores=2,1' out
report $? 'initialScore becomes startScores'

exit $failed
