# For test scripts to source: the scratch folder they work in, and a line for each test.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
failed=0

report() { # report CODE WHAT: 0 is good; what has several lines is told on one
  if [ "$1" -eq 0 ]; then
    echo "ok - ${2//$'\n'/ }"
  else
    echo "not ok - ${2//$'\n'/ }"
    failed=1
  fi
}
