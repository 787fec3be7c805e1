#!/usr/bin/env bash
# tests/container.sh: container/Containerfile becomes an image: by buildah where that is installed, with Debian's own
# image made by debootstrap (in .build/container) instead of fetched; otherwise line by line, with a chroot for each
# stage.
# Then the image is run as an engine would: as its user, the root read-only, /data to write to, and the health check
# asked. Last, what compose.yaml and its nginx.conf say. Needs root and the distribution's archive; the page must have
# been built.
set -euo pipefail
here=$(realpath "$(dirname "$0")/..")
out=$here/.build/container
. "$here/tests/tap.sh"
cd "$here"
file=container/Containerfile
say() { # say TEXT COMMAND...
  local text=$1 code=0
  shift
  "$@" >"$out/step.log" 2>&1 || code=$?
  [ $code -eq 0 ] || tail -n 15 "$out/step.log" | sed 's/^/# /'
  report $code "$text"
  return $code
}
not() { ! "$@"; }
mkdir -p "$out"

# What Debian's slim image has; made once. Like that one it is without manuals, translations and what apt has fetched.
base() { # base SUITE
  local root=$out/base-$1
  [ -e "$root/complete" ] && return
  rm -rf "$root" && debootstrap --variant=minbase "$1" "$root" || return 1
  rm -rf "$root"/usr/share/{doc,info,locale,man}/* "$root"/var/{cache,log}/* "$root"/var/lib/apt/lists/*
  touch "$root/complete"
}
suite_of() { # suite_of IMAGE: `bookworm` of debian:bookworm-slim
  local suite=${1#debian:}
  echo "${suite%%-slim*}"
}

# By buildah, without pulling anything: what the image is, as its own settings say.
builder=(buildah --storage-driver vfs --root "$out/storage" --runroot "$out/running")
import_base() { # import_base IMAGE: Debian's under the name that the file has for it
  local suite container folder
  suite=$(suite_of "$1")
  base "$suite" || return 1
  "${builder[@]}" images -q "docker.io/library/$1" 2>/dev/null | grep -q . && return
  container=$("${builder[@]}" from scratch) && folder=$("${builder[@]}" mount "$container") &&
    cp -a "$out/base-$suite/." "$folder" &&
    "${builder[@]}" commit -q --rm "$container" "docker.io/library/$1"
}
setting() { # setting NAME: of the image, as JSON
  "${builder[@]}" inspect --type image oyster |
    node -e '
      const image = JSON.parse(require("node:fs").readFileSync(0));
      console.log(JSON.stringify(image.Docker.config[process.argv[1]]));' "$1"
}
build_image() {
  local image
  for image in $(sed -n 's/^FROM \([^ ]*\).*/\1/p' "$file" | sort -u); do import_base "$image" || return 1; done
  "${builder[@]}" rm --all >/dev/null 2>&1 || true
  "${builder[@]}" build --isolation chroot --format docker --pull-never -f "$file" -t oyster . || return 1
  root=$("${builder[@]}" mount "$("${builder[@]}" from --pull-never oyster)") || return 1
}

# Line by line.
inside() { # inside ROOT COMMAND...
  local root=$1
  shift
  chroot "$root" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "${variables[@]}" \
    sh -c 'cd "$0" && exec "$@"' "$place" "$@"
}

stages=() names=() variables=() place=/ user=0:0 health= entry= command=
root=
run_line() { # run_line WORD REST
  local rest=$2 from to suite name
  case $1 in
  FROM)
    suite=$(suite_of "$rest")
    name=stage${#stages[@]}
    case $rest in *' AS '*) name=${rest##* AS } ;; esac
    root=$out/$name
    base "$suite" && rm -rf "$root" && cp -a "$out/base-$suite" "$root" || return 1
    stages+=("$root") names+=("$name") variables=() place=/ user=0:0
    ;;
  ENV) variables+=("$rest") ;;
  WORKDIR) place=$rest && mkdir -p "$root$place" ;;
  RUN) inside "$root" sh -ec "$rest" ;;
  COPY)
    if [ "$rest" = '. .' ]; then # the tree as .dockerignore leaves it
      git ls-files -co --exclude-standard | xargs cp --parents -t "$root$place" &&
        mkdir -p "$root$place/build" && cp -r build/web "$root$place/build/web" &&
        git rev-parse --short=12 HEAD >"$root$place/COMMIT"
      return
    fi
    name=${rest#--from=} && name=${name%% *}
    rest=${rest#* } from=${rest%% *} to=${rest##* }
    cp -a "$out/$name$from" "$root$to"
    ;;
  USER) user=$rest ;;
  HEALTHCHECK) health=${rest#*CMD } ;;
  ENTRYPOINT) entry=$rest ;;
  CMD) command=$rest ;;
  VOLUME | EXPOSE | STOPSIGNAL) ;;
  *) echo "nobody knows $1" && return 1 ;;
  esac
}

follow_lines() {
  local lines line word code
  lines=$(sed -e '/^#/d' -e ':a' -e '/\\$/{N;s/ *\\\n */ /;ba' -e '}' "$file" | grep .)
  while IFS= read -r line <&9; do
    word=${line%% *}
    code=0
    run_line "$word" "${line#* }" >"$out/step.log" 2>&1 || code=$?
    [ $code -eq 0 ] || tail -n 15 "$out/step.log" | sed 's/^/# /'
    report $code "$(echo "$line" | cut -c1-90)"
    [ $code -eq 0 ] || exit 1
  done 9<<<"$lines"
}

if command -v buildah >/dev/null; then
  say 'buildah builds the image' build_image || exit 1
  user=$(setting User | tr -d '"')
  entry=$(setting Entrypoint) command=$(setting Cmd)
  health=$(setting Healthcheck | node -e '
    console.log(JSON.stringify(JSON.parse(require("node:fs").readFileSync(0)).Test.slice(1)))')
  say '/data is its volume, 8080 its port' \
    test "$(setting Volumes)$(setting ExposedPorts)" = '{"/data":{}}{"8080/tcp":{}}'
else
  follow_lines
fi

say 'the user has a number and is not root' sh -c "echo '$user' | grep -qE '^[1-9][0-9]*:[1-9][0-9]*$'"
bytes=$(du -sb "$root" | cut -f1)
above=$(((bytes - $(du -sb "$out"/base-* | cut -f1)) / 1000000))
echo "# the image is $((bytes / 1000000)) MB, of which $above MB are not Debian's"
say 'it adds less than 40 MB' test "$above" -lt 40
say 'neither compilers nor sources are in it' sh -c "! ls '$root'/usr/bin/gcc '$root'/source 2>/dev/null | grep ."

# An image that runs: its root read-only, /data apart, as its user; the words are those of the file.
words() { node -e 'console.log(JSON.parse(process.argv[1]).join("\0"))' "$1" | head -c -1; }
mapfile -d '' -t start < <(words "$entry"; printf '\0'; words "$command"; printf '\0')
mapfile -d '' -t ask < <(words "$health"; printf '\0')
rm -rf "$out/data" && install -d -o "${user%:*}" -g "${user#*:}" "$out/data"
engine=(unshare -m sh -ec '
  root=$1 data=$2 user=$3
  shift 3
  mount --bind "$root" "$root"
  mount --bind "$data" "$root/data"
  mount -o remount,bind,ro "$root"
  exec chroot --userspec="$user" "$root" env -i PATH=/usr/bin:/bin sh -c "cd /data && exec \"\$@\"" sh "$@"
' sh "$root" "$out/data" "$user")
run() { "${engine[@]}" "$@"; } # run COMMAND...: in the image
start=("${start[@]/\*:8080/127.0.0.1:18089}")
ask=("${ask[@]/8080/18089}")
"${engine[@]}" "${start[@]}" >"$out/server.log" 2>&1 &
server=$!
trap 'kill $server 2>/dev/null || true; rm -rf "$scratch"' EXIT
well() { for _ in $(seq 100); do run "${ask[@]}" && return; sleep 0.1; done; return 1; }
say 'it starts with a root that is read-only, and the health check says that it is well' well
say 'the store is in /data' test -e "$out/data/oyster.db"
elsewhere() { run touch /usr/x || run touch /x; }
say 'nothing can be written elsewhere' not elsewhere
say 'it has its page' node -e '
  const http = require("node:http");
  http.get("http://127.0.0.1:18089/", (answer) => {
    let text = "";
    answer.on("data", (data) => { text += data; });
    answer.on("end", () => process.exit(/<title>Oyster/.test(text) && /assets\//.test(text) ? 0 : 1));
  });'
kill -TERM $server
ended() { for _ in $(seq 100); do kill -0 $server 2>/dev/null || return 0; sleep 0.1; done; return 1; }
say 'it ends at SIGTERM' ended
say 'the health check of a server that is gone fails' not run "${ask[@]}"

# compose.yaml: three servers with different names on one Redis, and a proxy that knows them all.
three() {
  for i in 1 2 3; do
    grep -q "^  table$i:" container/compose.yaml && grep -q -- "--node table$i " container/compose.yaml &&
      grep -q "server table$i:8080;" container/nginx.conf || return 1
  done
  grep -q 'read_only: true' container/compose.yaml && grep -q 'appendonly yes' container/compose.yaml
}
say 'three servers, Redis and a proxy' three
commands_are_right() { # the settings of each server
  grep -o 'serve --listen .*' container/compose.yaml | while read -r each; do
    # shellcheck disable=SC2086
    set -f && build/oyster ${each/serve/serve --check-config} || return 1
  done
}
say "the servers' settings are right" commands_are_right
proxy_is_right() {
  sed 's/table[123]:8080/127.0.0.1:1808&/; s/:1808table\([123]\):8080/:1808\1/' container/nginx.conf >"$out/nginx.conf"
  "$(command -v nginx || echo /usr/sbin/nginx)" -t -e "$out/nginx.log" -g "pid $out/nginx.pid;" -c "$out/nginx.conf"
}
say "the proxy's settings are right" proxy_is_right
exit $failed
