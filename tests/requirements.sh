#!/usr/bin/env bash
# Checks docs/REQUIREMENTS.md against the tree:
#   - every id has one row, in order;
#   - the files in its row exist, and each defines the symbol that stands after it: a function, a
#     table, a struct, a member of one, a value of an enum or a macro in C and TypeScript, a heading in
#     Markdown, and in CSS what a line begins with, or a class;
#   - the test in its row exists and names the id: in its name, in its body or in the comment above it;
#   - tests name ids only there, so that an id is always next to what asserts it. A story is a test, too.
# In the last column a `FILE` without a test after it is a test as a whole, and names the id anywhere.
# "as ID, ID" refers to the rows of other ids; "open: ..." says what is missing.
set -eu
cd "$(dirname "$0")/.."
wrong=0
for document in README.md docs/ARCHITECTURE.md docs/GUIDE.md docs/REQUIREMENTS.md; do # PL-58
  [ -s "$document" ] || { echo "there is no $document" >&2; wrong=1; }
done
tests=$(git ls-files -co --exclude-standard |
  grep -E '_test\.c$|stories\.txt$|\.test\.ts$|^(tests|bench)/.*(\.c|\.mjs|\.sh|/run)$')
# shellcheck disable=SC2086
awk -v table=docs/REQUIREMENTS.md '
function complain(text) { print table ": " text | "cat 1>&2"; wrong = 1 }

# Reads a file once; its text is kept as a whole.
function text_of(file,    line, text) {
  if (!(file in texts)) {
    text = ""
    while ((getline line < file) > 0) text = text line "\n"
    close(file)
    texts[file] = text
    if (text == "") complain("there is no " file)
  }
  return texts[file]
}

# Is this word somewhere in the text, not as a part of a longer one?
function has_word(text, word,    at, before, after) {
  while ((at = index(text, word)) > 0) {
    before = at > 1 ? substr(text, at - 1, 1) : " "
    after = substr(text, at + length(word), 1)
    if ((before !~ /[A-Za-z0-9_]/ || word !~ /^[A-Za-z0-9_]/) &&
        (after !~ /[A-Za-z0-9_]/ || word !~ /[A-Za-z0-9_]$/)) return 1
    text = substr(text, at + 1)
  }
  return 0
}

# ---- What a file defines ----

function define(file, name) { if (name != "") defined[file, name] = 1 }

function last_word(text) {
  gsub(/[^A-Za-z0-9_]+$/, "", text)
  sub(/.*[^A-Za-z0-9_]/, "", text)
  return text
}

# Members of a struct, `int *one, two[3];`, or values of an enum, `ONE = 1, TWO,`.
function define_members(file, text, of_enum,    parts, count, i) {
  if (match(text, /\(\*[a-z_0-9]+\)/)) { define(file, substr(text, RSTART + 2, RLENGTH - 3)); return }
  if (text ~ /^ *[&|?:+(]/ || text ~ /[()]/ && !of_enum) return
  count = split(text, parts, /[,;{}]/)
  for (i = 1; i <= count; i++) {
    sub(/[:=[].*/, "", parts[i])
    if (!of_enum || parts[i] ~ /^ *[A-Za-z0-9_]+ *$/) define(file, last_word(parts[i]))
  }
}

# In .c a prototype defines nothing: its statement ends with a semicolon before any `{` or `=`.
function is_prototype(lines, i, count,    text) {
  for (; i <= count; i++) {
    text = lines[i]
    if (text ~ /[{=]/) return 0
    if (text ~ /;/) return 1
  }
  return 1
}

# A definition begins at the first column, as clang-format has it; members are indented.
function define_c(file,    lines, count, i, line, block, open) {
  count = split(text_of(file), lines, "\n")
  for (i = 1; i <= count; i++) {
    line = lines[i]
    if (line == "" || line ~ /^ *(\/\*|\*)/ && line !~ /\*\/ *[a-z]/) continue
    gsub(/\/\*.*\*\/|\/\*.*/, "", line)
    if (line ~ /^#define /) {
      sub(/^#define /, "", line)
      sub(/[^A-Za-z0-9_].*/, "", line)
      define(file, line)
    } else if (line ~ /^[}]/) {
      if (block != "" && line ~ /^[}] [a-z]/) define(file, last_word(line))
      block = ""
    } else if (line ~ /^[A-Za-z_]/) {
      if (line ~ /^(typedef |static |extern |const )*(struct|union|enum)( [a-z_0-9]+)? *[{]/) {
        block = line ~ /enum/ ? "enum" : "struct"
        open = index(line, "{")
        define_members(file, substr(line, open + 1), block == "enum")
        line = substr(line, 1, open - 1)
        if (line ~ /(struct|union|enum) [a-z_0-9]+ *$/) define(file, last_word(line))
        if (lines[i] ~ /[}]/) block = ""
      } else if (line !~ /^extern / && (file !~ /\.c$/ || !is_prototype(lines, i, count))) {
        sub(/ *[(={;[].*/, "", line)
        define(file, last_word(line))
      }
    } else if (block != "" && line ~ /^ /) define_members(file, line, block == "enum")
  }
}

# What is indented counts if it is a function: variables of functions do not.
function define_ts(file,    lines, count, i, line) {
  count = split(text_of(file), lines, "\n")
  for (i = 1; i <= count; i++) {
    line = lines[i]
    if (line ~ /^ +(const|let) / && line !~ /=>|function/) continue
    if (match(line, /^ *(export )?(default )?(async )?(function|const|let|class|type|interface|enum) [A-Za-z0-9_$]+/))
      define(file, last_word(substr(line, RSTART, RLENGTH)))
    else if (match(line, /^ +(async )?[A-Za-z0-9_]+\(.*[{]$/)) {
      sub(/\(.*/, "", line)
      define(file, last_word(line))
    }
  }
}

function define_lines(file, begin,    lines, count, i, line) {
  count = split(text_of(file), lines, "\n")
  for (i = 1; i <= count; i++) if (lines[i] ~ begin) starts[file] = starts[file] "\n" lines[i]
}

function defines(file, symbol) {
  if (!(file in looked)) {
    looked[file] = 1
    if (file ~ /\.[ch]$/) define_c(file)
    else if (file ~ /\.(mjs|tsx?)$/) define_ts(file)
    else if (file ~ /\.md$/) define_lines(file, "^#")
  }
  if (file ~ /\.(c|h|mjs|tsx?)$/) return (file, symbol) in defined
  if (file ~ /\.md$/) return has_word(starts[file], symbol)
  if (file ~ /\.css$/)
    return symbol !~ /^@[a-z]+$/ && (begins_line(text_of(file), symbol) || has_word(text_of(file), "." symbol))
  if (file ~ /\.def$/) return begins_line(text_of(file), symbol "(")
  return has_word(text_of(file), symbol)
}

function begins_line(text, symbol,    at) {
  while ((at = index(text, symbol)) > 0) {
    if (substr(text, 1, at - 1) ~ /(^|\n) *$/) return 1
    text = substr(text, at + 1)
    sub(/^[^\n]*/, "", text)
  }
  return 0
}

# Calls note() with every id in a text: `HF-33`, `HF_33_...`, `hf_c16_...`, `HF-17 to HF-36`.
function find_ids(text, file, block,    kind, from, to, n, id) {
  text = toupper(text)
  gsub(/_/, "-", text)
  while (match(text, /(^|[^A-Z0-9])(PL|HF|TF|HT|WD|UD|TP|FK)-C?[0-9]+/)) {
    id = substr(text, RSTART, RLENGTH)
    sub(/^[^A-Z]/, "", id)
    text = substr(text, RSTART + RLENGTH)
    kind = id; sub(/[0-9]+$/, "", kind)
    from = to = substr(id, length(kind) + 1) + 0
    if (match(text, /^[- ]TO[- ](PL|HF|TF|HT|WD|UD|TP|FK)-C?[0-9]+/)) {
      to = substr(text, RSTART, RLENGTH)
      sub(/.*[-C]/, "", to)
      to += 0
      text = substr(text, RSTART + RLENGTH)
    }
    for (n = from; n <= to; n++) note(kind n, file, block)
  }
}
function note(id, file, block) {
  if (!(id in rows)) complain(file " names " id ", which has no row")
  if (block == "") { if (!((file, id) in whole)) complain(file " names " id " outside of a test") }
  else named[file, block, id] = 1
}

# Splits a test file into its functions and tests, each with the comment above it. Their ends are
# found by indentation, which the formatters of C and of TypeScript keep.
function read_tests(file,    lines, count, i, line, comment, name, depth, text, is_c) {
  count = split(text_of(file), lines, "\n")
  is_c = file ~ /\.[ch]$/
  comment = name = ""
  for (i = 1; i <= count; i++) {
    line = lines[i]
    if (name == "" || line ~ title) {
      if (name_of(line, is_c) != "") {
        if (name != "") find_ids(text, file, name)
        name = name_of(line, is_c)
        depth = match(line, /[^ ]/)
        text = comment "\n" line "\n"
        comment = ""
        tests[file, name] = 1
        if (is_c && line ~ /\}$/) { find_ids(text, file, name); name = "" }
        continue
      }
    }
    if (name != "") {
      text = text line "\n"
      if (line ~ /^ *[})]/ && match(line, /[^ ]/) <= depth) { find_ids(text, file, name); name = "" }
    } else if (line ~ /^ *(\/\/|#|\/\*|\*)/) comment = comment line "\n"
    else { find_ids(comment line, file, ""); comment = "" }
  }
  find_ids(name == "" ? comment : text, file, name)
}
# A story goes on up to the next one; its name follows the colon of its heading.
function read_stories(file,    lines, count, i, name, text) {
  count = split(text_of(file), lines, "\n")
  for (i = 1; i <= count; i++) {
    if (lines[i] ~ /^[0-9]+ players?[,:]/) {
      find_ids(text, file, name)
      name = lines[i]
      sub(/^[^:]*: /, "", name)
      text = ""
    }
    text = text lines[i] "\n"
  }
  find_ids(text, file, name)
}
function name_of(line, is_c,    found) {
  if (is_c) {
    if (sub(/^(UNIT|TABLE)_TEST\(/, "", line)) { sub(/\).*/, "", line); return line }
    if (line !~ /^[a-z].*\(/ || line ~ /;$/) return ""
    sub(/\(.*/, "", line); sub(/.*[ *]/, "", line)
    return line
  }
  if (line ~ /^(export )?(async )?function /) { sub(/\(.*/, "", line); sub(/.*[ *]/, "", line); return line }
  if (line ~ /^report \$\? /) { gsub(/^[^\047]*\047|\047.*/, "", line); return line }
  if (line !~ title) return ""
  found = line
  sub(title, "", found)
  sub(/["`].*/, "", found)
  return found
}

BEGIN { title = "^[^\"`]*((test|it|describe)\\(|async )[\"`]"; FS = " [|] " }
FILENAME == table && /^[|] (PL|HF|TF|HT|WD|UD|TP|FK)-C?[0-9]+ [|]/ {
  id = $1; sub(/^[|] /, "", id)
  kind = id; sub(/[0-9]+$/, "", kind)
  number = substr(id, length(kind) + 1) + 0
  if (id in rows) complain(id " has two rows")
  if (number != last[kind] + 1) complain(id " follows " kind last[kind] + 0)
  last[kind] = number
  rows[id] = $3
  proofs[id] = $4; sub(/ [|]$/, "", proofs[id])
  count = split(proofs[id], part, "`")
  for (i = 2; i < count; i += 2) if (part[i + 1] == " ") i += 2; else whole[part[i], id] = 1
  next
}
FILENAME == table { next }
{ files[FILENAME] = 1; nextfile }
END {
  split("PL-58 PL-C17 HF-162 HF-C49 TF-30 TF-C15 HT-67 HT-C23 WD-150 WD-C28 UD-75 UD-C28 TP-9 FK-7 FK-C1", ends, " ")
  for (i in ends) if (!(ends[i] in rows)) complain(ends[i] " has no row")
  for (file in files) if (file ~ /stories\.txt$/) read_stories(file); else read_tests(file)
  for (id in rows) {
    count = split(rows[id], part, "`")
    for (i = 2; i + 2 <= count; i += 4)
      if (!defines(part[i], part[i + 2])) complain(id ": no " part[i + 2] " in " part[i])
    if (count < 5 && proofs[id] !~ /^open: /) complain(id " names no place")
    proof = proofs[id]
    if (proof ~ /^open: /) continue
    if (sub(/^as /, "", proof)) {
      count = split(proof, others, ", ")
      for (i = 1; i <= count; i++)
        if (!(others[i] in rows) || proofs[others[i]] ~ /^(as|open)/) complain(id " refers to " others[i])
      continue
    }
    count = split(proof, part, "`")
    if (count < 3) complain(id " names no test")
    for (i = 2; i < count; i += 2)
      if (part[i + 1] == " ") {
        if (!proves(part[i], part[i + 2], id)) complain(id ": no \"" part[i + 2] "\" in " part[i] " that names it")
        i += 2
      } else if (!has_word(text_of(part[i]), id)) complain(id ": " part[i] " does not name it")
  }
  exit wrong
}
# A row may give the beginning of a long title, or what follows the changing part of one.
function proves(file, name, id,    key, part) {
  if ((file, name, id) in named) return 1
  for (key in named) {
    split(key, part, SUBSEP)
    if (part[1] == file && part[3] == id && file !~ /\.c$/ && index(part[2], name) > 0) return 1
  }
  return 0
}' docs/REQUIREMENTS.md $tests || wrong=1
exit $wrong
