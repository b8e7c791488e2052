#!/usr/bin/env python3
"""Fails on a link in a Markdown file to a file or a heading that is not there, and on a page of
docs/ that docs/README.md does not name. Usage: check_links.py [ROOT]"""
import pathlib
import re
import sys

LINK = re.compile(r"\]\(([^()\s]+)\)|<img src=\"([^\"]+)\"")
FENCE = re.compile(r"^\s*```.*?^\s*```", re.M | re.S)
SKIPPED = {"build", ".git"}


def without_code(text):
    return re.sub(r"`[^`\n]*`", "", FENCE.sub("", text))


def anchors(path):
    """The names that a page's headings get, and those it gives itself."""
    text = FENCE.sub("", path.read_text())
    for heading in re.findall(r"^#+ (.*)$", text, re.M):
        shown = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        yield re.sub(r"[^\w\- ]", "", shown.lower()).replace(" ", "-")
    yield from re.findall(r'<a name="([^"]+)">', text)


def faults(root, page):
    for match in LINK.finditer(without_code(page.read_text())):
        link = match.group(1) or match.group(2)
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        where = f"{page.relative_to(root)}: {link}"
        if not target.exists():
            yield f"{where}: there is no such file"
        elif anchor and anchor not in anchors(target):
            yield f"{where}: {target.name} has no such heading"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    pages = [path for path in sorted(root.rglob("*.md"))
             if not any(part in SKIPPED or part.startswith("build-")
                        for part in path.relative_to(root).parts)]
    found = [fault for page in pages for fault in faults(root, page)]
    index = root / "docs/README.md"
    named = {(index.parent / match.group(1).partition("#")[0]).resolve()
             for match in LINK.finditer(index.read_text()) if match.group(1)}
    found += [f"docs/README.md does not name {page.relative_to(root)}" for page in pages
              if index.parent in page.parents and page != index and page not in named]
    print("\n".join(found) if found else f"{len(pages)} pages, every link leads somewhere")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
