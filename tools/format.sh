#!/usr/bin/env bash
# Rewrites all C++ files in the house format; with --check only names those that differ.
set -euo pipefail
cd "$(dirname "$0")/.."

mode=(-i)
[ "${1:-}" != --check ] || mode=(--dry-run --Werror)
folders=()
for folder in include src app tests bench examples; do
  [ ! -d "$folder" ] || folders+=("$folder")
done
find "${folders[@]}" \( -name '*.cpp' -o -name '*.h' \) -print0 |
  xargs -0 clang-format-14 "${mode[@]}"
