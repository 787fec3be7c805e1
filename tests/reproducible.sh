#!/usr/bin/env bash
# Builds the last commit twice, in two folders: program, page and source archive must be the same bytes. The archive
# says what it is made of, and needs no tools for its page; what is installed lies where it should.
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
named() { # every library that the program is linked with, but the compiler's own
  readelf -d one/oyster/build/oyster | sed -n 's/.*(NEEDED).*\[lib\([^]]*\)\.so.*/\1/p' | grep -vxE 'c|m|gcc_s' |
    sed 's/_/-/; s/^z$/zlib/' | while read -r name; do
    grep -qE "\"name\": \"(lib)?$name\"" plain/oyster-*/sbom.spdx.json || { echo "no $name"; return 1; }
  done
}
named
report $? 'its SBOM names all libraries of the program'
node -e '
  const bill = JSON.parse(require("node:fs").readFileSync(process.argv[1]));
  const unknown = bill.packages.filter((part) => part.versionInfo === "NOASSERTION");
  if (bill.spdxVersion !== "SPDX-2.3" || unknown.length || !bill.packages.some(({ name }) => name === "solid-js")) {
    console.log(unknown);
    process.exit(1);
  }' plain/oyster-*/sbom.spdx.json
report $? '... and the packages of the page, all with their versions'
make -s -C one/oyster install DESTDIR="$PWD/installed" PREFIX=/usr/local >/dev/null &&
  (cd installed/usr/local && ls bin/oyster share/oyster/web/index.html share/man/man1/oyster.1 \
    share/man/man5/oyster.conf.5 share/doc/oyster/oyster.conf share/bash-completion/completions/oyster \
    share/zsh/vendor-completions/_oyster share/fish/vendor_completions.d/oyster.fish >/dev/null) &&
  [ "$(ls -A installed)" = usr ]
report $? 'make install honours DESTDIR and PREFIX'
exit $failed
