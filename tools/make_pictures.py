#!/usr/bin/env python3
"""make_pictures.py [PROGRAM]: makes the README's pictures of the three jobs again, in docs/img/.

Needs python3-torch, for the model of docs/guides/wrap.md, and chromium. PROGRAM is
build/equiframe if left out; run from the top of the tree.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

IMAGES = pathlib.Path("docs/img")
TYPES = ["--group", "E3", "--in", "point + vector", "--out", "point"]
SHAPE = ["--models", "1", "--kinds", "organic", "--seed", "11", "--export", "ply"]


def run(*command, cwd=None):
    subprocess.run([str(word) for word in command], check=True, stdout=subprocess.DEVNULL, cwd=cwd)


def save_model(folder):
    """model.pt, the network of the guide to wrapping."""
    guide = pathlib.Path("docs/guides/wrap.md").read_text()
    code = re.search(r"cat >net\.py <<'PY'\n(.*?)\nPY\n", guide, re.S).group(1)
    (folder / "net.py").write_text(code)
    run("/usr/bin/python3", "net.py", cwd=folder)


def first_chart(page):
    """The lines between <svg> and </svg> of the first drawing of a page."""
    return re.search(r"<svg[^>]*>\n(.*?)\n</svg>", page.read_text(), re.S).group(1).split("\n")


def without_repeats(line):
    """A polyline without the points inside its level stretches."""
    def thin(match):
        points = match.group(1).split()
        heights = [point.split(",")[1] for point in points]
        kept = [point for k, point in enumerate(points)
                if k in (0, len(points) - 1) or len(set(heights[k - 1:k + 2])) > 1]
        return f'points="{" ".join(kept)}"'
    return re.sub(r'points="([^"]*)"', thin, line)


def panel(chart, offset, name, remark, leave_out):
    title = (f'<text x="0" y="{offset + 30}" class="f-ink" font-size="15" font-weight="600">{name}'
             f'<tspan class="f-muted" font-weight="400" font-size="13">: {remark}</tspan></text>')
    lines = [without_repeats(line) for line in chart if not any(mark in line for mark in leave_out)]
    return [title, f'<g transform="translate(0 {offset})">', *lines, "</g>"]


def before_and_after(before, after, picture):
    """One SVG of the audits' first charts, in the colours of the demo's picture."""
    style = re.search(r"<style>.*?</style>", (IMAGES / "demo.svg").read_text(), re.S).group(0)
    legend, place, axis = ('y="18"', 'y1="14"'), ("error in float64",), ('y="286"', 'y="310"')
    picture.write_text("\n".join([
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-16 -14 900 632" width="900" height="632" '
        'role="img" aria-label="Errors of a model before and after equiframe wrap: about one, then '
        'about 1e-15" font-family="system-ui,sans-serif">', style,
        '<rect x="-16" y="-14" width="100%" height="100%" class="f-surface"/>',
        *(line for line in before if any(mark in line for mark in legend)),
        *panel(before, 14, "model.pt", "the largest |f(gx) − g f(x)| of each random motion, relative, "
               "float64", legend + place + axis),
        *panel(after, 288, "wrapped.pt", "the same weights after equiframe wrap", legend + place),
        "</svg>", ""]))


def screenshot(page, style, width, height, picture):
    """A page with some more style, as a PNG of its upper left corner."""
    shown = page.with_name("shown.html")
    shown.write_text(page.read_text().replace("</head>", f"<style>{style}</style></head>"))
    run("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--log-level=3",
        "--virtual-time-budget=5000", f"--window-size={width},{height}", f"--screenshot={picture}",
        shown.as_uri())


def main():
    program = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build/equiframe").resolve()
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        save_model(work)
        run(program, "wrap", work / "model.pt", *TYPES, "-o", work / "wrapped.pt")
        run(program, "audit", work / "model.pt", *TYPES, "--report", work / "before.html")
        run(program, "audit", work / "wrapped.pt", "--report", work / "after.html")
        before_and_after(first_chart(work / "before.html"), first_chart(work / "after.html"),
                         IMAGES / "wrap.svg")
        screenshot(work / "before.html", "main{padding-top:1.25rem}", 1000, 736, IMAGES / "audit.png")
        run(program, "data", "cad", *SHAPE, "--out", work / "shapes")
        run(program, "normals", work / "shapes/model-000000.ply", "-o", work / "normals.ply",
            "--orient", "outward", "--report", work / "normals.html")
        screenshot(work / "normals.html", "h1,.summary{display:none}main{padding:0}figure{margin:0}"
                   "figcaption{display:none}", 660, 470, IMAGES / "normals.png")


if __name__ == "__main__":
    main()
