#!/usr/bin/env bash
# Checks the programs of the project that are not C++: Python, also that which becomes TorchScript,
# and the scripts of pages. Where there is no node, a browser reads those (tools/check_page.sh).
set -euo pipefail
cd "$(dirname "$0")/.."

# Those that git knows or would know, without what others made.
list() { git ls-files --cached --others --exclude-standard -- "$1" | while read -r file; do
  [ ! -f "$file" ] || echo "$file"
done; }
mapfile -t python < <(list '*.py')
mapfile -t scripts < <(list '*.js')
[ "${#python[@]}" -gt 0 ] && [ "${#scripts[@]}" -gt 0 ]

cache=$(mktemp -d)
trap 'rm -rf "$cache"' EXIT
PYTHONPYCACHEPREFIX=$cache python3 -m py_compile "${python[@]}"
# A name that C++ replaces (template.h) is read under another name, which pyflakes cannot know.
if command -v pyflakes3 >/dev/null; then
  found=$(pyflakes3 "${python[@]}" | grep -vE "local variable '\w*[A-Z]__' is assigned" || true)
  [ -z "$found" ] || { echo "$found" && exit 1; }
fi
if command -v node >/dev/null; then
  for script in "${scripts[@]}"; do node --check "$script"; done
fi
echo "programs: ${#python[@]} of Python, ${#scripts[@]} of JavaScript"
