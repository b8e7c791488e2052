#!/usr/bin/env python3
"""Turns every ```cpp block of the given Markdown files into one C++ program that runs them all.

usage: extract_snippets.py OUTPUT.cpp ROOT FILE.md...

A block becomes the body of a function, in a namespace of its own, after its #include lines have
been moved to the top. Words after the language change that:

  ```cpp            compiled and run; with `int main` it is a whole program
  ```cpp no-run     compiled only
  ```cpp file       compiled only, as it stands in a source file (classes, namespaces)
  ```cpp continue   goes on where the block before it in the same file ended
"""
import pathlib
import re
import sys

PRELUDE = "#include <equiframe/equiframe.h>\n#include <torch/torch.h>\n\n#include \"snippets.h\"\n"
MODES = {"", "no-run", "file", "continue"}


def blocks(path, name):
    """(name:line, mode, lines) of each C++ block of a file."""
    mode, start, body = None, 0, []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        fence = re.match(r"\s*```\s*(\S*)\s*(.*?)\s*$", line)
        if fence and mode is None:
            mode = fence.group(2) if fence.group(1) in {"cpp", "c++"} else "other"
            start, body = number, []
        elif fence:
            if mode != "other":
                if mode not in MODES:
                    sys.exit(f"{name}:{start}: unknown mark '{mode}'; known: {sorted(MODES)}")
                yield f"{name}:{start}", mode, body
            mode = None
        elif mode is not None:
            body.append(line)


def merged(path, name):
    """The blocks of a file, those marked `continue` joined to the one before."""
    result = []
    for place, mode, body in blocks(path, name):
        line = f'#line {int(place.split(":")[1]) + 1} "{path}"'
        if mode == "continue":
            if not result:
                sys.exit(f"{place}: there is no block to continue")
            result[-1][2].extend([line, *body])
        else:
            result.append((place, mode, [line, *body]))
    return result


def function(index, mode, body):
    code = "\n".join(body)
    if mode == "file":
        return f"namespace snippet_{index} {{\n{code}\n}}\n"
    whole = re.sub(r"\bint main\s*\([^)]*\)", "int run()", code)
    if whole != code:
        head, _, tail = whole.rpartition("}")
        return f"namespace snippet_{index} {{\n{head}return 0; }}{tail}\n}}\n"
    return f"namespace snippet_{index} {{\nint run() {{\n{code}\nreturn 0; }}\n}}\n"


def main():
    output, root, *files = map(pathlib.Path, sys.argv[1:])
    found = [block for path in files for block in merged(path, path.relative_to(root))]
    if not found:
        sys.exit("no C++ block in " + ", ".join(map(str, files)))
    includes, functions, table = {}, [], []
    for index, (place, mode, body) in enumerate(found):
        includes.update((line.strip(), None) for line in body if line.lstrip().startswith("#include"))
        rest = ["" if line.lstrip().startswith("#include") else line for line in body]
        functions.append(function(index, mode, rest))
        if mode == "":
            table.append(f'    {{"{place}", snippet_{index}::run}},')
    table = "const std::vector<Snippet> kSnippets{\n" + "\n".join(table) + "};\n"
    output.write_text("\n".join([PRELUDE, *includes, "", *functions, '#line 1 "snippets"', table]))


if __name__ == "__main__":
    main()
