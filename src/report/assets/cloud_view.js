// Reads the clouds of the page, and turns them as the reader asks. It draws with WebGL or, where
// there is none or it draws nothing, pixel by pixel (cloud_painters.js). Each figure says in its
// attributes what drew it (data-renderer), how many pixels it covered at first (data-drawn) and how
// it is turned (data-turn), for tests. The signs for less and greater stand between spaces: no tag
// is to be seen in a page.

function bytes(text) {
  const raw = atob(text), result = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; ++i) result[i] = raw.charCodeAt(i);
  return result;
}

// Low and high end along an axis, without the outermost points where they are far away.
function range(numbers, axis) {
  const sorted = numbers.filter((_, i) => i % 3 === axis).sort();
  const at = share => sorted[Math.round(share * (sorted.length - 1))];
  const [low, inner, outer, high] = [0, 0.005, 0.995, 1].map(at);
  return outer > inner && high - low > 2 * (outer - inner) ? [inner, outer] : [low, high];
}

// Typical distance of neighbours on a surface, from the number of cells of a grid that it meets.
function spacing(place, count) {
  const cells = Math.max(1, Math.round(Math.sqrt(count) / 4)), met = new Set();
  const cell = v => Math.floor((v + 1) / 2 * cells);
  for (let i = 0; i < place.length; i += 3)
    met.add((cell(place[i]) * 4096 + cell(place[i + 1])) * 4096 + cell(place[i + 2]));
  return 2 / cells * Math.sqrt(met.size / 1.5 / count);
}

// About the centre of the cloud, in units of its radius.
function decode(data) {
  const raw = bytes(data.points), count = Number(data.count), place = new Float32Array(3 * count);
  for (let i = 0; i < place.length; ++i) place[i] = raw[2 * i] + 256 * raw[2 * i + 1];
  const ends = [0, 1, 2].map(axis => range(place, axis));
  let inside = 0, reach = 0;  // squares of the largest distances
  for (let i = 0; i < place.length; i += 3) {
    let square = 0, among = true;
    for (let axis = 0; axis < 3; ++axis) {
      const [low, high] = ends[axis], v = place[i + axis];
      among = among && v >= low && v <= high;
      place[i + axis] = v - (low + high) / 2;
      square += place[i + axis] ** 2;
    }
    if (among) inside = Math.max(inside, square);
    reach = Math.max(reach, square);
  }
  const radius = Math.sqrt(inside) || 1;
  for (let i = 0; i < place.length; ++i) place[i] /= radius;
  return {count, place, reach: Math.sqrt(reach) / radius, spacing: spacing(place, count),
          normal: new Int8Array(bytes(data.normals).buffer),
          confidence: data.confidence ? bytes(data.confidence) : null};
}

// Pixels for a unit at the distance 1, so that the cloud fills a stage of w by h: as it is turned
// at first, but not so large that it would be cut off much when turned.
function fit(place, turn, w, h) {
  let x = 0, y = 0;
  for (let i = 0; i < place.length; i += 3) {
    const p = [0, 3, 6].map(
      r => turn[r] * place[i] + turn[r + 1] * place[i + 1] + turn[r + 2] * place[i + 2]);
    if (Math.hypot(...p) > 1.001) continue;  // far away from the others
    x = Math.max(x, Math.abs(p[0]) / (kEye - p[2]));
    y = Math.max(y, Math.abs(p[1]) / (kEye - p[2]));
  }
  const sphere = Math.min(w, h) / 2 * Math.sqrt(kEye ** 2 - 1);
  return Math.min(0.46 * w / x, 0.46 * h / y, 1.35 * sphere);
}

// A painter that has drawn something, on a canvas of its own.
function painterFor(stage, cloud, draw) {
  for (const make of [glPainter, pixelPainter]) {
    const canvas = document.createElement('canvas');
    stage.prepend(canvas);
    const painter = make(canvas, cloud);
    if (painter) {
      draw(painter, canvas);
      const pixels = painter.covered();
      if (pixels > 0 || make === pixelPainter) return {painter, canvas, pixels};
    }
    canvas.remove();
  }
}

// Rows of a rotation: to the right, up, towards the eye. z is up at first.
function homeTurn() {
  const side = -Math.PI / 3, height = 0.42;
  const s = Math.sin(side), c = Math.cos(side), u = Math.sin(height), v = Math.cos(height);
  return [-s, c, 0, -u * c, -u * s, v, v * c, v * s, u];
}

// Turned about the vertical and then about the horizontal of the screen, in radians.
function turned(t, right, down) {
  const about = (m, i, j, angle) => {
    const s = Math.sin(angle), c = Math.cos(angle), r = m.slice();
    for (let k = 0; k < 3; ++k) {
      r[3 * i + k] = c * m[3 * i + k] + s * m[3 * j + k];
      r[3 * j + k] = c * m[3 * j + k] - s * m[3 * i + k];
    }
    return r;
  };
  const r = about(about(t, 0, 2, right), 1, 2, -down);
  for (const i of [0, 3, 6]) {  // rounding must not add up
    const length = Math.hypot(r[i], r[i + 1], r[i + 2]);
    for (let k = 0; k < 3; ++k) r[i + k] /= length;
  }
  return r;
}

function start(figure) {
  const stage = figure.querySelector('.stage'), axes = [...figure.querySelectorAll('.axes g')];
  const cloud = decode(figure.dataset), home = () => ({turn: homeTurn(), zoom: 1, x: 0, y: 0});
  const ratio = () => window.devicePixelRatio || 1;
  let state = home(), mode = 'normal', shown = null, waiting = false, full = 1;

  function draw(painter, canvas) {
    const w = Math.max(1, Math.round(stage.clientWidth * ratio()));
    const h = Math.max(1, Math.round(stage.clientHeight * ratio()));
    if (canvas.width !== w || canvas.height !== h) {
      [canvas.width, canvas.height] = [w, h];
      full = fit(cloud.place, homeTurn(), w, h);
    }
    const scale = state.zoom * full;
    const size = Math.min(Math.max(2.5 * cloud.spacing * scale, 1.5 * kEye * ratio()),
                          22 * kEye * ratio() * Math.max(1, state.zoom));
    painter.paint({turn: state.turn, scale, size, x: state.x * ratio(), y: state.y * ratio(),
                   relief: mode === 'normal' ? 0.45 : 0.3});
    axes.forEach((axis, i) => {
      const [x, y] = [26 * state.turn[i], -26 * state.turn[3 + i]];
      axis.querySelector('line').setAttribute('x2', x);
      axis.querySelector('line').setAttribute('y2', y);
      axis.querySelector('text').setAttribute('x', 1.35 * x);
      axis.querySelector('text').setAttribute('y', 1.35 * y + 4);
    });
    figure.dataset.turn = state.turn.map(v => v.toFixed(3)).join(' ');
  }
  function redraw() {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      draw(shown.painter, shown.canvas);
    });
  }
  function show() {
    shown = painterFor(stage, cloud, (painter, canvas) => {
      painter.colour(colours(cloud, mode));
      draw(painter, canvas);
    });
    shown.canvas.addEventListener('webglcontextlost', () => { shown.canvas.remove(); show(); });
    figure.dataset.renderer = shown.painter.name;
    figure.dataset.drawn = shown.pixels;
  }
  function colourBy(value) {
    mode = value;
    shown.painter.colour(colours(cloud, mode));
    for (const key of figure.querySelectorAll('.key')) key.hidden = key.dataset.of !== mode;
    redraw();
  }
  const change = values => { state = Object.assign({}, state, values); redraw(); };
  const turn = (right, down) => change({turn: turned(state.turn, right, down)});
  const move = (x, y) => change({x: state.x + x, y: state.y + y});
  // The place (x, y), from the middle of the stage, stays where it is.
  function zoom(factor, x = 0, y = 0) {
    const value = Math.min(Math.max(state.zoom * factor, 0.2), 60), f = value / state.zoom;
    change({zoom: value, x: x + f * (state.x - x), y: y + f * (state.y - y)});
  }
  listen(stage, {turn, move, zoom, home: () => change(home())});
  for (const input of figure.querySelectorAll('input'))
    input.addEventListener('change', () => colourBy(input.value));
  new ResizeObserver(redraw).observe(stage);
  const css = colour => 'rgb(' + colour.map(Math.round) + ')';
  [...axes, ...figure.querySelectorAll('.swatch')].forEach(
    (element, i) => { element.style.color = css(kAxes[i % 3]); });
  for (const bar of figure.querySelectorAll('.ramp'))
    bar.style.background = 'linear-gradient(90deg,' + kRamp.map(css) + ')';
  for (const part of figure.querySelectorAll('.scripted')) part.hidden = false;
  show();
}

function listen(stage, act) {
  const kRadians = 0.008, held = new Map();  // for each pixel; pointers that are down
  const middle = event => {
    const box = stage.getBoundingClientRect();
    return [event.clientX - box.left - box.width / 2, event.clientY - box.top - box.height / 2];
  };
  const apart = () => {
    const [a, b] = [...held.values()];
    return Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
  };
  stage.addEventListener('pointerdown', event => {
    if (event.button === 0) held.set(event.pointerId, event);
  });
  window.addEventListener('pointermove', event => {
    const last = held.get(event.pointerId);
    if (!last) return;
    const x = event.clientX - last.clientX, y = event.clientY - last.clientY;
    const before = held.size === 2 ? apart() : 0;
    held.set(event.pointerId, event);
    if (held.size === 2) {
      act.move(x / 2, y / 2);
      if (before > 0) act.zoom(apart() / before, ...middle(event));
    } else if (event.shiftKey) {
      act.move(x, y);
    } else {
      act.turn(kRadians * x, kRadians * y);
    }
  });
  for (const name of ['pointerup', 'pointercancel'])
    window.addEventListener(name, event => { held.delete(event.pointerId); });
  stage.addEventListener('dblclick', act.home);
  stage.addEventListener('wheel', event => {
    event.preventDefault();
    act.zoom(Math.exp(-event.deltaY * (event.deltaMode === 0 ? 0.0015 : 0.05)), ...middle(event));
  }, {passive: false});
  const keys = {
    ArrowLeft: () => act.turn(-0.1, 0), ArrowRight: () => act.turn(0.1, 0),
    ArrowUp: () => act.turn(0, -0.1), ArrowDown: () => act.turn(0, 0.1),
    '+': () => act.zoom(1.2), '=': () => act.zoom(1.2), '-': () => act.zoom(1 / 1.2),
    '0': act.home, Home: act.home,
  };
  stage.addEventListener('keydown', event => {
    if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    keys[event.key]();
  });
}

document.querySelectorAll('.cloud').forEach(start);
