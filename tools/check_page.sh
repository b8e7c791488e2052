#!/usr/bin/env bash
# Opens a page in a headless browser without network, takes a screenshot beside it, and fails on
# an error of the page, on missing content or on a blank picture.
# usage: tools/check_page.sh PAGE.html
set -euo pipefail
page=$(realpath "$1")
picture=${page%.html}.png

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
  echo "check-page: $1" >&2
  exit 1
}
browse() {
  timeout 120 chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage \
    --no-first-run --hide-scrollbars --user-data-dir="$work/profile" \
    --host-resolver-rules='MAP * ~NOTFOUND' --enable-logging=stderr --virtual-time-budget=5000 \
    --window-size=1280,1600 "$@" "file://$page" 2>"$work/log" </dev/null || {
    tail -n 5 "$work/log" >&2
    fail "the browser did not finish"
  }
  # Messages of the page itself; the browser's own complaints about the machine are not ours.
  if grep -E 'CONSOLE.*(Uncaught|Error|Failed to load|Refused)' "$work/log" >&2; then
    fail "the page reports an error"
  fi
}

[ -s "$page" ] || fail "$1 is missing or empty"
browse --dump-dom >"$work/dom"
for wanted in '<title>' '<h1' '<table' '<svg' '</html>'; do
  grep -qF -- "$wanted" "$work/dom" || fail "the page has no $wanted"
done
if grep -oE '(src="|<link[^>]+href="|url\(["'"'"']?)(https?:)?//[^"]*' "$work/dom" >&2; then
  fail "the page is not one file: it loads from the network"
fi
text=$(tr '\n' ' ' <"$work/dom" | sed -e 's/<style[^>]*>[^<]*<\/style>/ /g' -e 's/<[^>]*>/\n/g')
# Inputs may have one; numbers must not be one.
if sed -E 's/\b(a|one) NaN\b//g' <<<"$text" | grep -nwE 'NaN|nan|inf|undefined' >&2; then
  fail "the page shows a number that is none"
fi

browse --screenshot="$picture" >/dev/null
# One colour all over compresses to a few kilobytes.
[ "$(stat -c %s "$picture")" -gt 20000 ] || fail "the screenshot $picture is blank"
echo "$1: no errors; screenshot ${picture#"$PWD"/}"
