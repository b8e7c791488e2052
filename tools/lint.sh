#!/usr/bin/env bash
# Checks the format of all C++ files and the programs in other languages, and runs clang-tidy on
# the C++ files that changed since LINT_BASE.
# usage: tools/lint.sh BUILD_DIR   (a build tree of the preset "lint", configured)
#
# LINT_BASE  a commit; by default where this branch left origin/main, or else the commit before
# LINT_ALL   1: all files, whatever changed
# LINT_MAX   look at no more than this many files, and say so
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

# A header is looked at through a file that includes it: the generated one that proves it compiles
# alone if it is public, a neighbour if it is private.
unit_of() {
  case $1 in
    include/*.h) name=${1#include/} && echo "$database/tests/headers/${name//[\/.]/_}.cpp" ;;
    *.h) grep -lF "\"${1##*/}\"" "${1%/*}"/*.cpp 2>/dev/null | head -n 1 ;;
    tests/install/*) ;; # a project of its own
    src/*.cpp | app/*.cpp | tests/*.cpp | bench/*.cpp | examples/*.cpp) echo "$1" ;;
  esac
}

if [ "${LINT_ALL:-0}" != 1 ] && base=$(base_commit); then
  changed=$({ git diff --name-only --diff-filter=d "$base" && git ls-files -o --exclude-standard; })
else
  changed=$(find include src app tests bench examples -name '*.cpp' -o -name '*.h')
fi
mapfile -t units < <(for file in $changed; do unit_of "$file" || true; done | sort -u)
total=${#units[@]}
units=("${units[@]:0:${LINT_MAX:-$total}}")
echo "clang-tidy: ${#units[@]} of $total changed files"
[ "${#units[@]}" -gt 0 ] || exit 0

# Debian's LibTorch is unreadable to clang 14 with libstdc++ in C++20, hence libc++'s headers.
printf '%s\0' "${units[@]}" |
  xargs -0 -P "$(nproc)" -n 1 clang-tidy-14 -p "$database" --quiet --extra-arg=-stdlib=libc++ \
    2> >(grep -v 'warnings generated' >&2)
