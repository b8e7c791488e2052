#!/usr/bin/env python3
"""Holds every #include of the library and the program to src/rooms.toml.

    check_rooms.py [ROOT]             fails on an arrow between rooms that the table does not have,
                                      on a table entry nobody uses, on LibTorch in a kernel, on a
                                      plug-in with a header and on a namespace of another room
    check_rooms.py [ROOT] --diagram   prints the diagram of docs/architecture.md
    check_rooms.py [ROOT] --document  fails if docs/architecture.md has another one
"""
import pathlib
import re
import sys
import tomllib

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')
NAMESPACE = re.compile(r"^namespace equiframe(?:::kernels)?(?:::inline (\w+))? \{", re.M)
PLUG_IN = re.compile(r"^const bool k\w*Registered\b", re.M)
# Compiled once for each instruction set, or used by what is: no LibTorch.
TORCH_FREE = re.compile(r"^src/(simd|linalg|runtime|solids_helper|(\w+/)+kernels)/"
                        r"|^include/equiframe/(runtime/|datasets/nbody_simulator\.h)")
MARKS = ("<!-- rooms -->\n```\n", "```\n<!-- /rooms -->")


def room_of(path):
    """The room of a file, or None for those of no room, such as the umbrella header."""
    parts = path.parts
    if parts[0] == "app":
        return "app"
    inner = parts[2:] if parts[0] == "include" else parts[1:]
    return inner[0] if len(inner) > 1 else None


def included_room(target, rooms):
    first, _, rest = target.removeprefix("equiframe/").partition("/")
    return first if rest and first in rooms else None


def faults(root, path, rooms, seen):
    room = room_of(path)
    if room is None:
        return
    text = (root / path).read_text()
    if room not in rooms:
        yield f"{path}: src/rooms.toml has no room '{room}'"
        return
    if path.suffix == ".cpp" and PLUG_IN.search(text) and (root / path.with_suffix(".h")).exists():
        yield f"{path}: a plug-in must not have a header"
    for match in NAMESPACE.finditer(text):
        if room != "app" and match.group(1) != room:
            yield f"{path}: its namespace must be equiframe::inline {room}"
    for number, line in enumerate(text.splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        target = match.group(1)
        where = f"{path}:{number}: {room} must not include {target}"
        if target == "equiframe/equiframe.h" and room != "app":
            yield f"{where} (the umbrella is for users)"
        other = included_room(target, rooms)
        if other and other != room:
            seen.add((room, other))
            if other not in rooms[room]["uses"]:
                yield f"{where} (src/rooms.toml: {room} uses {', '.join(rooms[room]['uses']) or 'no other'})"
        if path.parts[0] == "include" and (root / "src" / target).exists():
            yield f"{where} (it is private, and {path} is installed)"
        if TORCH_FREE.match(path.as_posix()) and re.match(r"(torch|ATen|c10)/", target):
            yield f"{where} (kernels are free of LibTorch)"


def check(root, rooms):
    done = set()
    for name, room in rooms.items():
        for other in room["uses"]:
            if other not in done:
                yield f"src/rooms.toml: {name} uses '{other}', which is not below it"
        done.add(name)
    seen = set()
    files = [path.relative_to(root) for folder in ("include/equiframe", "src", "app")
             for path in sorted((root / folder).rglob("*")) if path.suffix in {".h", ".cpp"}]
    if not files:
        yield "no files"
    for path in files:
        yield from faults(root, path, rooms, seen)
    for name, room in rooms.items():
        for other in room["uses"]:
            if (name, other) not in seen:
                yield f"src/rooms.toml: {name} does not use {other}; take the arrow out"


def diagram(rooms):
    width = max(map(len, rooms)) + 2
    for name in reversed(rooms):
        uses = " ".join(rooms[name]["uses"])
        yield f"  {name + '/':<{width}}{rooms[name]['is']}"
        if uses:
            yield f"  {'':<{width}}  < {uses}"


def main():
    words = [word for word in sys.argv[1:] if word.startswith("--")]
    places = [word for word in sys.argv[1:] if not word.startswith("--")]
    root = pathlib.Path(places[0] if places else ".").resolve()
    rooms = tomllib.loads((root / "src/rooms.toml").read_text())
    if words == ["--diagram"]:
        print("\n".join(diagram(rooms)))
        return 0
    if words == ["--document"]:
        wanted = MARKS[0] + "\n".join(diagram(rooms)) + "\n" + MARKS[1]
        if wanted in (root / "docs/architecture.md").read_text():
            return 0
        print("docs/architecture.md: put the output of tools/check_rooms.py --diagram between the marks")
        return 1
    found = list(check(root, rooms))
    print("\n".join(found) if found else f"{len(rooms)} rooms, every include is in src/rooms.toml")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
