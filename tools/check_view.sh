#!/usr/bin/env bash
# Opens a page with a view of a point cloud in a headless browser, drags, zooms, presses a key,
# resets and changes the colour, once as the browser draws and once without WebGL; fails unless each of these
# changes the picture as it should.
# usage: tools/check_view.sh PAGE.html
set -euo pipefail
page=$(realpath "$1")

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
  echo "check-view: $1" >&2
  exit 1
}

# Virtual time does not wait for the frames of a browser without a screen; timers it does.
cat >"$work/frames.js" <<'JS'
window.requestAnimationFrame = draw => setTimeout(draw, 16);
JS
cat "$work/frames.js" - >"$work/without_webgl.js" <<'JS'
const context = HTMLCanvasElement.prototype.getContext;
HTMLCanvasElement.prototype.getContext = function(kind, options) {
  return kind.startsWith('webgl') ? null : context.call(this, kind, options);
};
JS

# Writes what went wrong, or "well", into the root element.
cat >"$work/drive.js" <<'JS'
(async () => {
  const figure = document.querySelector('.cloud'), stage = figure.querySelector('.stage');
  const drawn = () => new Promise(done => setTimeout(done, 200));
  const picture = () => {
    const from = stage.querySelector('canvas'), copy = document.createElement('canvas');
    [copy.width, copy.height] = [from.width, from.height];
    copy.getContext('2d').drawImage(from, 0, 0);
    return copy.getContext('2d').getImageData(0, 0, copy.width, copy.height).data;
  };
  const different = (a, b) => a.reduce((sum, v, i) => sum + (v !== b[i] ? 1 : 0), 0) / a.length;
  const pointer = (name, x, y) => stage.dispatchEvent(new PointerEvent(
    name, {bubbles: true, pointerId: 1, button: 0, clientX: x, clientY: y}));
  const wrong = [], expect = (holds, what) => { if (!holds) wrong.push(what); };

  await drawn();
  const first = picture(), turn = figure.dataset.turn;
  expect(Number(figure.dataset.drawn) > 1000, 'hardly a pixel is drawn');
  pointer('pointerdown', 300, 300);
  pointer('pointermove', 380, 330);
  pointer('pointerup', 380, 330);
  await drawn();
  expect(figure.dataset.turn !== turn, 'a drag does not turn the cloud');
  expect(different(first, picture()) > 0.01, 'a drag does not change the picture');
  const dragged = picture(), after = figure.dataset.turn;
  stage.dispatchEvent(new WheelEvent('wheel', {deltaY: -400, cancelable: true}));
  await drawn();
  expect(different(dragged, picture()) > 0.01, 'the wheel does not change the picture');
  expect(figure.dataset.turn === after, 'the wheel turns the cloud');
  stage.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowLeft', cancelable: true}));
  await drawn();
  expect(figure.dataset.turn !== after, 'an arrow key does not turn the cloud');
  stage.dispatchEvent(new MouseEvent('dblclick'));
  await drawn();
  expect(figure.dataset.turn === turn, 'a double click does not turn the cloud back');
  expect(different(first, picture()) === 0, 'a double click does not bring the picture back');
  const inputs = figure.querySelectorAll('input');
  if (inputs.length > 0) {
    inputs[1].click();
    await drawn();
    expect(different(first, picture()) > 0.01, 'confidence has the colours of normals');
  }
  document.documentElement.dataset.checked = wrong.join('; ') || 'well';
})();
JS

# usage: drive NAME BEFORE.js: the page with a script before its own and the driver behind
drive() {
  python3 - "$page" "$2" "$work/drive.js" >"$work/$1.html" <<'PY'
import sys
page, before, behind = (open(name, encoding="utf-8").read() for name in sys.argv[1:])
page = page.replace("<head>", f"<head><script>{before}</script>", 1)
print(page.replace("</body>", f"<script>{behind}</script></body>", 1))
PY
  timeout 240 chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage \
    --no-first-run --user-data-dir="$work/profile" --host-resolver-rules='MAP * ~NOTFOUND' \
    --enable-logging=stderr --virtual-time-budget=8000 --window-size=1000,900 --dump-dom \
    "file://$work/$1.html" >"$work/dom" 2>"$work/log" </dev/null ||
    fail "the browser did not finish"
  if grep -E 'CONSOLE.*(Uncaught|Error)' "$work/log" >&2; then
    fail "$1: the page reports an error"
  fi
  local found renderer
  found=$(grep -oE ' data-checked="[^"]*"' "$work/dom" | cut -d'"' -f2) || fail "$1: no answer"
  renderer=$(grep -oE ' data-renderer="[^"]*"' "$work/dom" | head -n 1 | cut -d'"' -f2)
  [ "$found" = well ] || fail "$1 ($renderer): $found"
  [ "$1" != plain ] || [ "$renderer" = canvas ] || fail "without WebGL it is drawn by $renderer"
  echo "$page: turns, zooms and changes colour ($renderer)" | sed "s|$PWD/||"
}

drive usual "$work/frames.js"
drive plain "$work/without_webgl.js"
