#!/usr/bin/env bash
# tests/package.sh PACKAGE.deb: what a host does with the package, in a minimal Debian of its own (debootstrap, in
# .build/chroot): installs it, plays (debian/tests/play), upgrades from an older version in the middle of a game,
# removes it, purges it. Needs root and the distribution's archive.
set -euo pipefail
package=$(realpath "$1")
here=$(realpath "$(dirname "$0")/..")
root=$here/.build/chroot
. "$here/tests/tap.sh"
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
inside() { chroot "$root" env PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "$@"; }
say() { # say TEXT COMMAND...
  local text=$1 code=0
  shift
  "$@" >package.log 2>&1 || code=$?
  [ $code -eq 0 ] || tail -n 15 package.log | sed 's/^/# /'
  report $code "$text"
}

# The same package under an older version, as the last release.
make_older() {
  rm -rf older
  dpkg-deb -R "$package" older
  sed -i 's/^Version: .*/Version: 0.0.9/' older/DEBIAN/control
  dpkg-deb --root-owner-group -b older "$root/older.deb"
}

# A game is begun, the package upgraded under the running server, the server restarted as systemd would; the game is
# where it was.
upgrade() {
  inside sh -ec '
    url=http://127.0.0.1:18081
    start() {
      cd /var/tmp
      runuser -u oyster -- oyster serve --listen 127.0.0.1:18081 --store sqlite:upgrade.db >/dev/null 2>&1 &
      server=$!
      for _ in $(seq 100); do curl -fs $url/readyz >/dev/null && return; sleep 0.1; done
      exit 1
    }
    start
    token=$(curl -fsS -H "Content-Type: application/json" -d "{\"name\": \"Ann\"}" $url/api/session | jq -r .token)
    post() { curl -fsS -H "Authorization: Bearer $token" -H "Content-Type: application/json" -d "$2" "$url$1"; }
    code=$(post /api/worlds "{\"gameId\": \"whos-deal\"}" | jq -r .roomCode)
    post /api/game/action "{\"roomCode\": \"$code\", \"type\": \"start\", \"payload\": {}}" >/dev/null
    version() { curl -fsS -H "Authorization: Bearer $token" $url/api/worlds/$code | jq .version; }
    before=$(version)
    apt-get install -y -qq /new.deb
    kill $server; wait $server || true
    start
    [ "$(version)" -ge "$before" ]
    kill $server; wait $server || true'
}

is_gone() { ! inside sh -c 'ls -d /etc/oyster /usr/share/oyster /usr/bin/oyster /var/lib/oyster 2>/dev/null' | grep .; }

if [ ! -e "$root/etc/debian_version" ]; then
  rm -rf "$root"
  say "a minimal Debian ($suite)" debootstrap --variant=minbase --include=curl,jq "$suite" "$root"
fi
mkdir -p "$root/var/lib/oyster"
cp "$package" "$root/new.deb"
cp "$here/debian/tests/play" "$root/play"
say 'the older version' make_older
say 'it is installed' inside apt-get install -y -qq /older.deb
say 'it upgrades in the middle of a game' upgrade
say 'a game is played with what was installed' inside /play
say 'the manual page is there' test -s "$root/usr/share/man/man1/oyster.1.gz"
say 'the unit allows little: at most 2.0 of 10' systemd-analyze security --offline=true --threshold=20 \
  "$root/lib/systemd/system/oyster.service"
say 'it is removed' inside apt-get remove -y -qq oyster
say 'it keeps its settings' test -e "$root/etc/oyster/oyster.conf"
say 'it is purged' inside apt-get purge -y -qq oyster
say 'nothing is left' is_gone
exit $failed
