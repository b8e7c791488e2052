#!/usr/bin/env bash
# Checks the format of all C++ files and the programs in other languages, and runs clang-tidy on
# the C++ files that changed since LINT_BASE.
# usage: tools/lint.sh BUILD_DIR   (a build tree of the preset "lint", configured)
#
# LINT_BASE  a commit; by default where this branch left origin/main, or else the commit before
# LINT_ALL   1: all files, whatever changed; once per release, it takes hours
# LINT_SECONDS  no unit is begun later; those left out are named
#
# Files compiled together are looked at together: half a minute goes into reading LibTorch, once for
# ten files. A file that was only moved (nothing but its includes and namespaces differ) is left out
# and counted.
set -euo pipefail
cd "$(dirname "$0")/.."
database=$1

tools/format.sh --check
tools/check_programs.sh

base_commit() {
  local head base
  [ -n "${LINT_BASE:-}" ] && git rev-parse --verify --quiet "$LINT_BASE^{commit}" && return
  head=$(git rev-parse --verify --quiet HEAD) || return 1
  base=$(git merge-base HEAD origin/main 2>/dev/null) || base=
  [ -n "$base" ] && [ "$base" != "$head" ] && echo "$base" && return
  git rev-parse --verify --quiet HEAD~1
}

if [ "${LINT_ALL:-0}" != 1 ] && base=$(base_commit); then
  changed=$(tools/changed_sources.py "$base")
else
  changed=$(git ls-files 'include/*.h' 'src/*' 'app/*' 'tests/*' 'bench/*' 'examples/*' | grep -E '\.(cpp|h)$')
fi
mapfile -t units < <(tools/units_of.py "$database/compile_commands.json" <<<"$changed")
echo "clang-tidy: $(grep -c . <<<"$changed" || true) files in ${#units[@]} units"
[ "${#units[@]}" -gt 0 ] || exit 0

# Debian's LibTorch is unreadable to clang 14 with libstdc++ in C++20, hence libc++'s headers.
# A unit is a list of sources to be included, which is not suspicious.
look_at() {
  if [ -n "${LINT_SECONDS:-}" ] && [ "$(date +%s)" -ge "$deadline" ]; then
    echo "left out for lack of time: $1"
    return 0
  fi
  clang-tidy-14 -p "$database" --quiet --extra-arg=-stdlib=libc++ \
    --extra-arg=-include --extra-arg="$PWD/tools/lint_libcxx.h" \
    --checks=-bugprone-suspicious-include "$1" 2> >(grep -v 'warnings generated' >&2)
}
export -f look_at
export database deadline=$(($(date +%s) + ${LINT_SECONDS:-0}))
printf '%s\0' "${units[@]}" | xargs -0 -P "$(nproc)" -I{} bash -c 'look_at "$1"' _ {}
