# For test scripts to source: the scratch folder they work in, and a line for each test.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
failed=0

report() { # report CODE WHAT: 0 is good
  if [ "$1" -eq 0 ]; then
    echo "ok - $2"
  else
    echo "not ok - $2"
    failed=1
  fi
}
