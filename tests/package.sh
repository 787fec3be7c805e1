#!/usr/bin/env bash
# tests/package.sh PACKAGE.deb [OLDER.deb]: what a host does with the package, in a minimal Debian of its own
# (debootstrap, in .build/chroot): the tests of debian/tests, which install it, play, upgrade in the middle of a game,
# remove it and purge it; and what can be seen from outside. Needs root and the distribution's archive.
set -euo pipefail
package=$(realpath "$1")
older=${2:+$(realpath "$2")}
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

if [ ! -e "$root/etc/debian_version" ]; then
  rm -rf "$root"
  say "a minimal Debian ($suite)" debootstrap --variant=minbase --include=curl,jq "$suite" "$root"
fi
cp "$package" "$root/new.deb"
[ -z "$older" ] || cp "$older" "$root/older.deb"
rm -rf "$root/tests"
cp -r "$here/debian/tests" "$root/tests"
say 'it is installed' inside apt-get install -y -qq /new.deb
say 'the manual page is there' test -s "$root/usr/share/man/man1/oyster.1.gz"
say 'the unit allows little: at most 2.0 of 10' systemd-analyze security --offline=true --threshold=20 \
  "$root/lib/systemd/system/oyster.service"
inside /tests/play || failed=1
inside /tests/upgrade /new.deb ${older:+/older.deb} || failed=1
exit $failed
