#!/usr/bin/env python3
"""Fails if two files of one program define the same class, inline function or inline variable in
the same namespace. The linker keeps one of them for both and says nothing (the one definition
rule), so that one class may be destroyed by the destructor of the other. What is in an anonymous
namespace is a file's own. Usage: check_definitions.py [ROOT]"""
import collections
import pathlib
import re
import sys

TOKEN = re.compile(r"::|->|\w+|\S")
TEXT = re.compile(r'R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"'
                  r"|//[^\n]*|/\*.*?\*/"
                  r'|"(?:\\.|[^"\\\n])*"'
                  r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'", re.DOTALL)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n\\]|\\.|\\\n)*", re.MULTILINE)
KEYS = {"class", "struct", "union", "enum"}
CLOSING = {"(": ")", "[": "]", "{": "}"}


def tokens_of(text):
    """Without comments, texts and directives of the preprocessor."""
    text = TEXT.sub(lambda match: '""' if match.group()[0] in "\"R" else " ", text)
    return TOKEN.findall(DIRECTIVE.sub(" ", text))


def matching(tokens, start, closing=CLOSING):
    """The place of what closes the bracket at `start`."""
    depth = 0
    for place in range(start, len(tokens)):
        if tokens[place] == tokens[start]:
            depth += 1
        elif tokens[place] == closing[tokens[start]]:
            depth -= 1
            if depth == 0:
                return place
    return len(tokens) - 1


def after_template(tokens):
    """The declaration behind `template <...>`."""
    while tokens[:2] == ["template", "<"]:
        tokens = tokens[matching(tokens, 1, {"<": ">"}) + 1:]
    return tokens


def outside(tokens, brackets="(["):
    """The tokens that are in no brackets; those stand for themselves as their opening one."""
    place = 0
    while place < len(tokens):
        yield place
        place = matching(tokens, place) if tokens[place] in brackets else place
        place += 1


def class_name(tokens):
    """The class that the declaration in front of a `{` defines, or None."""
    tokens = after_template(tokens)
    tokens = [tokens[k] for k in outside(tokens)]
    keys = [k for k, token in enumerate(tokens) if token in KEYS]
    if not keys or "(" in tokens[keys[0] + 2:] or "=" in tokens:
        return None
    name = tokens[keys[0]:]
    while name and (name[0] in KEYS or name[0] in {"(", "[", "alignas", "__attribute__"}):
        name = name[1:]
    end = next((k for k, token in enumerate(name) if token == ":"), len(name))
    return "".join(token for token in name[:end] if token != "final") or None


def parameter_type(tokens):
    """Without its name and its default."""
    if "=" in tokens:
        tokens = tokens[:tokens.index("=")]
    named = len(tokens) > 1 and re.match(r"\w", tokens[-1]) and tokens[-2] not in {"::", "const"}
    return " ".join(tokens[:-1] if named else tokens)


def function_name(tokens):
    """Name and parameter types of the function whose body follows, or None."""
    tokens = after_template(tokens)
    opening = next((k for k in outside(tokens, "[{") if tokens[k] == "("), None)
    if not opening or not re.match(r"[\w>)\]=+\-*/<&|!~^]", tokens[opening - 1]):
        return None
    name = opening - 1
    if "operator" in tokens[:opening]:
        name = tokens.index("operator")
    while name > 1 and tokens[name - 1] == "::":
        name -= 2
    end = matching(tokens, opening)
    parameters, first = [], opening + 1
    depth = 0
    for place in range(opening + 1, end + 1):
        depth += {"<": 1, "(": 1, ">": -1, ")": -1}.get(tokens[place], 0)
        if place == end or (tokens[place] == "," and depth == 0):
            parameters.append(parameter_type(tokens[first:place]))
            first = place + 1
    return f"{''.join(tokens[name:opening])}({', '.join(parameters)})"


def variable_name(tokens):
    """The inline variable that is defined, or None."""
    if "inline" not in tokens or "(" in tokens:
        return None
    end = tokens.index("=") if "=" in tokens else len(tokens)
    return tokens[end - 1] if re.match(r"\w", tokens[end - 1]) else None


def entity_of(declaration, in_header):
    """What the declaration in front of a `{` defines for all files that see it."""
    name = class_name(declaration)
    if name:
        return name
    if "=" in [declaration[k] for k in outside(declaration, "([{")]:
        return variable_name(declaration)
    shared = {"inline", "constexpr", "template"} & set(declaration)
    return function_name(declaration) if shared or in_header else None


def begins_initializer(declaration):
    """Whether the `{` behind it is not that of a body: `= {`, `f({`, or `Class::Class() : a_{`."""
    if not declaration:
        return False
    outer = [declaration[k] for k in outside(declaration)]
    if "=" in outer and "operator" not in outer:
        return True
    is_constructor = any(outer[k:k + 2] == ["(", ":"] for k in range(len(outer)))
    return is_constructor and re.match(r"[\w>]", declaration[-1]) is not None


def definitions(tokens, in_header, space=()):
    """Names with their namespaces, of all that is not in an anonymous one."""
    declaration, place = [], 0
    while place < len(tokens):
        token = tokens[place]
        if token in "([":
            end = matching(tokens, place)
            declaration += tokens[place:end + 1]
            place = end + 1
            continue
        if token == ";":
            name = variable_name(declaration)
            if name and not KEYS & set(declaration):
                yield "::".join((*space, name))
            declaration = []
        elif token == "{":
            end = matching(tokens, place)
            inside = tokens[place + 1:end]
            if "namespace" in declaration:
                name = declaration[declaration.index("namespace") + 1:]
                if name:
                    yield from definitions(inside, in_header, (*space, "".join(name)))
                declaration = []
            elif declaration[:1] == ["extern"]:
                yield from definitions(inside, in_header, space)
                declaration = []
            elif begins_initializer(declaration):
                declaration += ["{", "}"]
            else:
                name = entity_of(declaration, in_header) if declaration else None
                if name:
                    yield "::".join((*space, name))
                declaration = []
            place = end
        else:
            declaration.append(token)
        place += 1


def files_of(root, *folders, without=()):
    return [path for folder in folders for path in sorted((root / folder).rglob("*"))
            if path.suffix in {".h", ".cpp"} and not any(part in path.parts for part in without)]


def programs(root):
    """What is linked together, by name."""
    library = files_of(root, "include", "src", without=("solids_helper",))
    yield "the program", library + files_of(root, "app", "bench")
    yield "equiframe-cad", files_of(root, "src/solids_helper") + sorted(
        root.glob("src/io/helper/solid_protocol.*"))
    for folder in sorted(path for path in (root / "tests").glob("*") if path.is_dir()):
        own = files_of(folder, ".")
        if own and folder.name != "stranger":  # a library that is loaded, nothing of ours in it
            yield f"tests/{folder.name}", library + files_of(root, "tests/support") + own


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    defined, found, count = {}, set(), 0
    for program, files in programs(root):
        places = collections.defaultdict(set)
        for path in files:
            if path not in defined:
                defined[path] = set(definitions(tokens_of(path.read_text()), path.suffix == ".h"))
            for name in defined[path]:
                places[name].add(str(path.relative_to(root)))
        found |= {f"{name}: defined in {' and in '.join(sorted(where))}"
                  for name, where in places.items() if len(where) > 1}
        count = max(count, len(places))
    print("\n".join(sorted(found)) if found
          else f"{len(defined)} files, {count} classes and inline functions, none defined twice")
    return 1 if found or not count else 0


if __name__ == "__main__":
    sys.exit(main())
