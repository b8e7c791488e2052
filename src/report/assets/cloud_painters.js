// Two ways to draw a cloud with the same result, and the colours they share. A painter has a name,
// colour(rgb of all points), paint(view) and covered(), the number of pixels that are not empty.
// The signs for less and greater stand between spaces: no tag is to be seen in a page.

const kAxes = [[236, 96, 52], [28, 176, 126], [58, 128, 240]];  // of normals along x, y, z
const kRamp = [[198, 40, 24], [240, 128, 48], [222, 196, 132], [112, 168, 214], [42, 104, 204]];
const kGrey = [142, 141, 136];
const kEye = 3.5;     // distance of the eye from the centre; the cloud has the radius 1
const kSlant = 0.35;  // discs seen from the side do not become thinner than this

// Squares of the components are weights that do not know the sign. Squares of the colours are
// about what light adds up to: mixtures stay bright.
function normalColour(x, y, z) {
  const sum = x * x + y * y + z * z, [a, b, d] = kAxes;
  return sum === 0 ? kGrey : [0, 1, 2].map(
    c => Math.sqrt(((x * a[c]) ** 2 + (y * b[c]) ** 2 + (z * d[c]) ** 2) / sum));
}

function rampColour(value) {
  const at = value * (kRamp.length - 1), i = Math.min(Math.floor(at), kRamp.length - 2);
  return kRamp[i].map((v, c) => v + (at - i) * (kRamp[i + 1][c] - v));
}

function colours(cloud, mode) {
  const result = new Uint8Array(3 * cloud.count), n = cloud.normal;
  const ramp = Array.from({length: 256}, (_, i) => rampColour(i / 255));
  for (let i = 0; i < result.length; i += 3) {
    const known = n[i] !== 0 || n[i + 1] !== 0 || n[i + 2] !== 0;
    result.set(known && mode === 'confidence' ? ramp[cloud.confidence[i / 3]]
                                              : normalColour(n[i], n[i + 1], n[i + 2]), i);
  }
  return result;
}

const kVertex = `attribute vec3 place, normal, colour;
uniform mat3 turn; uniform vec2 scale, shift; uniform float size, relief, far;
varying vec3 shade, face;
void main() {
  vec3 p = place * turn, n = normal * turn;
  float away = ${kEye.toFixed(2)} - p.z;
  face = dot(n, n) < .5 ? vec3(0, 0, 1) : n.z < 0. ? -n : n;
  shade = colour * (1. - relief * (1. - face.z));
  float depth = ((far + .1) * away - .2 * far) / (far - .1);
  gl_Position = vec4(p.xy * scale + shift * away, depth, away);
  gl_PointSize = max(size / away, 1.);
}`;
const kFragment = `precision mediump float;
varying vec3 shade, face;
void main() {
  vec2 q = gl_PointCoord * 2. - 1.;
  float slope = (face.x * q.x - face.y * q.y) / max(face.z, ${kSlant.toFixed(2)});
  if (dot(q, q) + slope * slope > 1.) discard;
  gl_FragColor = vec4(shade, 1);
}`;

function glProgram(gl) {
  const program = gl.createProgram();
  for (const [type, text] of [[gl.VERTEX_SHADER, kVertex], [gl.FRAGMENT_SHADER, kFragment]]) {
    const shader = gl.createShader(type);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  return gl.getProgramParameter(program, gl.LINK_STATUS) ? program : null;
}

// The buffer is kept, so that the picture can be printed and saved.
function glPainter(canvas, cloud) {
  const gl = canvas.getContext('webgl', {preserveDrawingBuffer: true});
  const program = gl && glProgram(gl);
  if (!program) return null;
  const feeder = (name, type, scaled) => {
    const where = gl.getAttribLocation(program, name), buffer = gl.createBuffer();
    return values => {
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.bufferData(gl.ARRAY_BUFFER, values, gl.STATIC_DRAW);
      gl.enableVertexAttribArray(where);
      gl.vertexAttribPointer(where, 3, type, scaled, 0, 0);
    };
  };
  const uniform = name => gl.getUniformLocation(program, name);
  gl.useProgram(program);
  gl.enable(gl.DEPTH_TEST);
  feeder('place', gl.FLOAT, false)(cloud.place);
  feeder('normal', gl.BYTE, true)(cloud.normal);
  return {
    name: 'webgl',
    colour: feeder('colour', gl.UNSIGNED_BYTE, true),
    paint(view) {
      const [w, h] = [canvas.width, canvas.height];
      gl.viewport(0, 0, w, h);
      gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
      gl.uniformMatrix3fv(uniform('turn'), false, view.turn);
      gl.uniform2f(uniform('scale'), 2 * view.scale / w, 2 * view.scale / h);
      gl.uniform2f(uniform('shift'), 2 * view.x / w, -2 * view.y / h);
      gl.uniform1f(uniform('size'), view.size);
      gl.uniform1f(uniform('relief'), view.relief);
      gl.uniform1f(uniform('far'), kEye + cloud.reach + 1);
      gl.drawArrays(gl.POINTS, 0, cloud.count);
    },
    covered() {
      const pixels = new Uint8Array(4 * canvas.width * canvas.height);
      gl.readPixels(0, 0, canvas.width, canvas.height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
      return pixels.reduce((sum, v, i) => sum + (i % 4 === 3 && v > 0 ? 1 : 0), 0);
    },
  };
}

// The same picture without a graphics card: a buffer of depths and one of pixels.
function pixelPainter(canvas, cloud) {
  const context = canvas.getContext('2d'), points = cloud.place, normals = cloud.normal;
  let colour = null, depth = new Float32Array(0), pixels = null;
  function disc(view, i) {
    const t = view.turn, w = canvas.width, h = canvas.height;
    const row = (x, r) => t[r] * x[i] + t[r + 1] * x[i + 1] + t[r + 2] * x[i + 2];
    const away = kEye - row(points, 6);
    if (away < 0.1) return;
    const known = normals[i] !== 0 || normals[i + 1] !== 0 || normals[i + 2] !== 0;
    const nz = known ? row(normals, 6) / 127 : 1, light = 1 - view.relief * (1 - Math.abs(nz));
    const steep = 127 * Math.max(Math.abs(nz), kSlant) * (nz < 0 ? -1 : 1);
    const a = row(normals, 0) / steep, b = -row(normals, 3) / steep;  // slopes of the disc
    const x = w / 2 + view.x + view.scale * row(points, 0) / away;
    const y = h / 2 + view.y - view.scale * row(points, 3) / away;
    const radius = Math.max(view.size / away, 1) / 2, first = v => Math.max(0, Math.ceil(v - 0.5));
    const right = Math.min(w, first(x + radius)), bottom = Math.min(h, first(y + radius));
    for (let j = first(y - radius); j < bottom; ++j)
      for (let k = first(x - radius); k < right; ++k) {
        const u = (k + 0.5 - x) / radius, v = (j + 0.5 - y) / radius, at = j * w + k;
        if (depth[at] <= away || u * u + v * v + (a * u + b * v) ** 2 > 1) continue;
        depth[at] = away;
        for (let c = 0; c < 3; ++c) pixels[4 * at + c] = light * colour[i + c];
        pixels[4 * at + 3] = 255;
      }
  }
  return {
    name: 'canvas',
    colour: values => { colour = values; },
    paint(view) {
      const image = context.createImageData(canvas.width, canvas.height);
      pixels = image.data;
      depth = new Float32Array(canvas.width * canvas.height).fill(1e30);
      for (let i = 0; i < 3 * cloud.count; i += 3) disc(view, i);
      context.putImageData(image, 0, 0);
    },
    covered: () => depth.reduce((sum, d) => sum + (d < 1e30 ? 1 : 0), 0),
  };
}
