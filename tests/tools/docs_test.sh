#!/usr/bin/env bash
# The documentation: every verb has a page that ends in its own --help, and every link of every page leads somewhere.
# With COPPICE_UPDATE_GOLDEN=1 the options are written into the pages instead of compared.
project=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
. "$(dirname "$0")/support.sh"

subcommands() { "$coppice" "$@" --help | sed -n '/^Subcommands:/,$p' | sed -n 's/^  \([a-z-]*\) .*/\1/p'; }

# options VERB: the part of its page that is made.
options() {
  local part
  printf '\n## Options\n\n```text\n'
  "$coppice" "$1" --help | sed -e :a -e '/^\n*$/{$d;N;ba' -e '}'
  for part in $(subcommands "$1"); do
    printf '\n'
    "$coppice" "$1" "$part" --help | sed -e :a -e '/^\n*$/{$d;N;ba' -e '}'
  done
  printf '```\n'
}

verbs=$(subcommands)
[ -n "$verbs" ] || fail 'no verbs found in --help'
for verb in $verbs; do
  page=$project/docs/verbs/$verb.md
  if [ ! -e "$page" ]; then
    [ -n "${COPPICE_UPDATE_GOLDEN:-}" ] || fail "the verb '$verb' has no page docs/verbs/$verb.md: write one"
    printf '# coppice %s\n\n%s.\n' "$verb" "$("$coppice" "$verb" --help | head -1)" > "$page"
  fi
  { sed '/^## Options$/,$d' "$page" | sed -e :a -e '/^\n*$/{$d;N;ba' -e '}'; options "$verb"; } > wanted.md
  [ -z "${COPPICE_UPDATE_GOLDEN:-}" ] || cp wanted.md "$page"
  cmp -s wanted.md "$page" ||
    fail "docs/verbs/$verb.md does not have the options of '$verb --help': run this test once with COPPICE_UPDATE_GOLDEN=1 and commit it"
done

broken=0
while read -r page link; do
  target=$(dirname "$page")/${link%%#*}
  [ -e "$target" ] || { printf '%s: the link to %s leads nowhere\n' "${page#"$project"/}" "$link" >&2; broken=$((broken + 1)); }
done < <(grep -oE '\]\([^)#: ]+[^): ]*\)' "$project"/README.md "$project"/docs/*.md "$project"/docs/*/*.md | sed -E 's/^([^:]*):\]\((.*)\)$/\1 \2/')
[ "$broken" -eq 0 ] || fail "$broken broken links"
echo "docs: every verb has its page, every link leads somewhere"
