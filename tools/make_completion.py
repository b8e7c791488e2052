#!/usr/bin/env python3
"""make_completion.py PROGRAM FOLDER [--check]: completion for bash and zsh from PROGRAM --help-all.

Writes FOLDER/equiframe.bash and FOLDER/_equiframe; with --check fails if they are not what it
would write. An option with a text needs to be known as a file, a folder or a choice of words: by
its help ("folder ...", "... file ...", a name such as .html) or by CHOICES.
"""
import pathlib
import re
import subprocess
import sys
from dataclasses import dataclass, field

FILE, FOLDER, NOTHING = "@file", "@folder", "@nothing"
TYPES = "point vector scalar pseudovector pseudoscalar tensor set node pair untouched"
# COMMAND OPTION, or OPTION in every command; the place of an argument counts as an option.
CHOICES = {
    "--group": NOTHING, "--mask": NOTHING, "--require": NOTHING, "--rows": NOTHING, "--set": NOTHING,
    "--shape": NOTHING, "--max-memory": NOTHING, "--suffix": NOTHING, "--input": NOTHING,
    "--dtype": "float64 float32", "--frame": "identity mean pca minimal canonical laplacian whole sampled",
    "--train-frame": NOTHING, "--split": "train valid test", "--budget": "quick hour paper",
    "--kinds": "solids organic", "--export": "step obj ply stl", "--method": "fa pca jet",
    "--orient": "none viewpoint mst outward", "--model": FILE, "--votes": FILE, "--choice": FILE,
    "reproduce normals --parts": "train accuracy", "reproduce separation --parts": "count classify figures",
    "reproduce separation --budget": "quick paper", "--regular": FILE, "--exp": FILE,
    "wrap --in": TYPES, "wrap --out": TYPES, "audit --in": TYPES, "audit --out": TYPES,
    "wrap --frame": "pca minimal sorted",  # without those that a shell needs quoted
    "audit --data": FILE, "predict --in": FILE, "predict --out": FILE,
    "list 1": "groups frames types models datasets", "normals 1": FILE, "graph embed 2": FILE, "graph canon 1": FILE,
    "bench 1": "averaging graphs kernels nbody normals wrap", "graph info 1": FILE,
    "normals --out": FILE, "demo --json": FILE, "demo --picture": FILE, "demo --out": FILE,
}
IS_FILE = re.compile(r"\bfiles?\b|\.(html|npy|csv|svg)\b")


@dataclass
class Argument:
    names: list  # of an option; of a positional argument its name
    values: int  # how many it takes
    repeated: bool
    text: bool
    help: str
    kind: str = ""


@dataclass
class Command:
    name: str
    help: str
    options: list = field(default_factory=list)
    positionals: list = field(default_factory=list)
    commands: dict = field(default_factory=dict)  # name: help


def argument(left, help_text):
    names, _, rest = left.partition(" ")
    many = re.search(r" x (\d+)$", rest)
    values = int(many.group(1)) if many else int(bool(rest))
    return Argument(names.split(","), values, rest.endswith("..."), rest.startswith("TEXT"), help_text)


def parse(text):
    """The commands of the output of --help-all."""
    for block in re.split(r"\nExit codes:.*\n.*\n", text):
        usage = re.search(r"^(.*\n)?Usage: equiframe ?((?:[a-z0-9]+ )*)\[", block.lstrip("\n"), re.M)
        if not usage:
            continue
        command = Command(usage.group(2).strip(), (usage.group(1) or "").strip())
        entries = re.sub(r"\n {20,}", "  ", block)  # a long name has its help on the next line
        section = None
        for line in entries.splitlines():
            header = re.match(r"(\S.*):$", line)
            entry = re.match(r"  (\S.*?)(?:\s{2,}(\S.*))?$", line)
            if header:
                section = header.group(1)
            elif entry and section == "Subcommands":
                command.commands[entry.group(1)] = entry.group(2) or ""
            elif entry and section:
                kept = command.positionals if section == "Positionals" else command.options
                kept.append(argument(entry.group(1), entry.group(2) or ""))
        yield command


def set_kinds(commands):
    """What to offer as the value of each argument."""
    used = set()
    for command in commands:
        places = [(item, name) for item in command.options for name in item.names]
        places += [(item, str(place)) for place, item in enumerate(command.positionals, 1)]
        for item, name in places:
            for key in (f"{command.name} {name}".strip(), name):
                if item.values and not item.kind and key in CHOICES:
                    used.add(key)
                    item.kind = CHOICES[key]
        for item in command.options + command.positionals:
            if not item.values or item.kind:
                continue
            if not item.text:
                item.kind = NOTHING
            elif re.match(r"folder\b", item.help):
                item.kind = FOLDER
            elif IS_FILE.search(item.help):
                item.kind = FILE
            else:
                sys.exit(f"equiframe {command.name} {','.join(item.names)}: a file, a folder or which "
                         "words? Say so in CHOICES of tools/make_completion.py")
    if unused := set(CHOICES) - used:
        sys.exit(f"CHOICES of tools/make_completion.py has what the program has not: {sorted(unused)}")


BASH = """\
# Completion of equiframe for bash, written by tools/make_completion.py.
_equiframe() {
  local -A commands=(
%(commands)s
  )
  local -A options=(
%(options)s
  )
  # What an option or the argument at a place takes: words, or a file, a folder, nothing we know.
  local -A values=(
%(values)s
  )
  local current=${COMP_WORDS[COMP_CWORD]} command= expected= place=1 word kind i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if [[ $expected ]]; then
      [[ $word == "=" ]] || expected=  # readline splits --option=value
    elif [[ $word == -* ]]; then
      [[ ${values["$command $word"]:-} ]] && expected="$command $word"
    elif [[ " ${commands["$command "]:-} " == *" $word "* ]]; then
      command=${command:+$command }$word
    else
      ((++place))
    fi
  done
  [[ $expected && $current == "=" ]] && current=
  if [[ $expected ]]; then
    kind=${values[$expected]}
  elif [[ $current == -* ]]; then
    kind=${options["$command "]:-}
  elif [[ ${commands["$command "]:-} ]]; then
    kind=${commands["$command "]}
  else
    kind=${values["$command $place"]:-${options["$command "]:-}}
  fi
  case $kind in
    @file) compopt -o filenames && mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
    @folder) compopt -o filenames && mapfile -t COMPREPLY < <(compgen -d -- "$current") ;;
    @nothing) COMPREPLY=() ;;
    *) mapfile -t COMPREPLY < <(compgen -W "$kind" -- "$current") ;;
  esac
}
complete -F _equiframe equiframe
"""


def bash(commands):
    def rows(pairs):
        return "\n".join(f'    ["{key}"]="{value}"' for key, value in pairs if value)
    values = []
    for command in commands:
        for item in command.options:
            values += [(f"{command.name} {name}", item.kind) for name in item.names]
        values += [(f"{command.name} {place}", item.kind)
                   for place, item in enumerate(command.positionals, 1)]
    return BASH % {
        "commands": rows((f"{c.name} ", " ".join(c.commands)) for c in commands),
        "options": rows((f"{c.name} ", " ".join(n for o in c.options for n in o.names)) for c in commands),
        "values": rows(values),
    }


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def zsh_value(item, name):
    action = {FILE: "_files", FOLDER: "_files -/", NOTHING: " "}.get(item.kind)
    if action is None:
        action = f"({item.kind})"
    return f":{name}:{action}" * item.values


def zsh_option(item):
    escaped = re.sub(r"([\[\]:\\])", r"\\\1", item.help)
    exclusive = "*" if item.repeated else f"({' '.join(item.names)})"
    value = zsh_value(item, item.names[-1].lstrip("-"))
    for name in item.names:
        equals = "=" if item.values and name.startswith("--") else "+" if item.values else ""
        yield quoted(f"{exclusive}{name}{equals}[{escaped}]{value}")


def zsh_function(command):
    specs = [spec for item in command.options for spec in zsh_option(item)]
    if command.commands:
        specs += ["'1:command:->command'", "'*::argument:->argument'"]
    specs += [quoted(f"{place}{zsh_value(item, item.names[0])}")
              for place, item in enumerate(command.positionals, 1)]
    name = "_".join(["_equiframe", *command.name.split()])
    lines = [f"{name}() {{"]
    if command.commands:
        lines += ["  local curcontext=$curcontext state line", "  local -a commands=("]
        lines += ["    " + quoted(f"{name}:{text}") for name, text in command.commands.items()]
        lines += ["  )"]
    lines += ["  _arguments -s " + ("-C " if command.commands else "") + "\\"]
    lines += [f"    {spec} \\" for spec in specs[:-1]] + [f"    {specs[-1]}"]
    if command.commands:
        lines += ["  case $state in", "    command) _describe command commands ;;",
                  f"    argument) (( $+functions[{name}_$words[1]] )) && {name}_$words[1] ;;", "  esac"]
    return "\n".join(lines + ["}"])


def zsh(commands):
    head = "#compdef equiframe\n# Completion of equiframe for zsh, written by tools/make_completion.py.\n"
    parts = [zsh_function(command) for command in reversed(commands)]
    return "\n".join([head, "\n\n".join(parts), '\n_equiframe "$@"\n'])


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    printed = subprocess.run([program, "--help-all"], capture_output=True, text=True, check=True).stdout
    commands = list(parse(printed))
    set_kinds(commands)
    old = []
    for name, text in (("equiframe.bash", bash(commands)), ("_equiframe", zsh(commands))):
        if sys.argv[3:] == ["--check"]:
            old += [name] if (folder / name).read_text() != text else []
        else:
            (folder / name).write_text(text)
    if old:
        sys.exit(f"{folder}: {', '.join(old)} not up to date; run tools/make_completion.py {program} {folder}")


if __name__ == "__main__":
    main()
