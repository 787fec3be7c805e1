#!/usr/bin/env bash
# Builds the last commit twice, in two folders: program, page and source archive must be the same bytes.
set -uo pipefail
here=$(realpath "$(dirname "$0")/..")
. "$here/tests/tap.sh"
for copy in one two; do
  git clone -q "$here" "$copy/oyster"
  cp -al "$here/web/node_modules" "$copy/oyster/web/"
  make -s -C "$copy/oyster" build dist >"$copy/log" 2>&1 || { tail -n 20 "$copy/log"; exit 1; }
done
for file in build/oyster .build/dist/oyster-*.tar.gz; do
  cmp one/oyster/$file two/oyster/$file
  report $? "$file is the same"
done
diff -r one/oyster/build/web two/oyster/build/web
report $? 'the page is the same'
mkdir -p plain
tar -x -C plain -f one/oyster/.build/dist/oyster-*.tar.gz
(cd plain/oyster-* && PATH=$(dirname "$(command -v gcc)"):/usr/bin:/bin scripts/build-web && [ ! -e build/web.log ])
report $? 'the archive needs no tools for its page'
exit $failed
