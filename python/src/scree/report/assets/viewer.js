// The grains in three dimensions: each sphere is a square on which the sphere is traced.
"use strict";
const VIRIDIS = ["482475", "414487", "355f8d", "2a788e", "21918c", "22a884", "44bf70", "7ad151", "bddf26", "fde725"];
const LIGHT = `
  vec3 shade(vec3 colour, vec3 n) {
    float key = max(dot(n, normalize(vec3(-0.5, 0.8, 0.9))), 0.0), fill = max(dot(n, normalize(vec3(0.9, 0.1, 0.5))), 0.0);
    float shine = pow(max(dot(n, normalize(vec3(-0.25, 0.4, 0.95))), 0.0), 30.0);
    return colour * (0.42 + 0.66 * key + 0.2 * fill) + 0.1 * shine;
  }`;
const SPHERE_VERTEX = `#version 300 es
  in vec2 corner; in vec3 place; in float size; in float value;
  uniform mat4 view, projection; uniform vec3 low, span; uniform float largest; uniform vec4 cut;
  out vec3 at, centre; out float radius; out float shown;
  void main() {
    vec3 world = low + place * span;
    radius = size * largest; shown = value;
    centre = (view * vec4(world, 1.0)).xyz;
    if (dot(cut.xyz, world) > cut.w) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; }
    vec3 back = normalize(-centre), right = normalize(cross(vec3(0.0, 1.0, 0.0), back)), up = cross(back, right);
    at = centre + back * radius * 0.98 + (corner.x * right + corner.y * up) * radius * 1.03;
    gl_Position = projection * vec4(at, 1.0);
  }`;
const SPHERE_FRAGMENT = `#version 300 es
  precision highp float;
  in vec3 at, centre; in float radius; in float shown;
  uniform mat4 projection; uniform sampler2D palette; out vec4 colour;
  ${LIGHT}
  void main() {
    vec3 ray = normalize(at);
    float b = dot(ray, centre), d = b * b - dot(centre, centre) + radius * radius;
    if (d < 0.0) discard;
    vec3 hit = ray * (b - sqrt(d));
    vec4 clip = projection * vec4(hit, 1.0);
    gl_FragDepth = 0.5 * clip.z / clip.w + 0.5;
    colour = vec4(shade(texture(palette, vec2(shown, 0.5)).rgb, (hit - centre) / radius), 1.0);
  }`;
const GRAIN_VERTEX = `#version 300 es
  in vec3 point, normal; in vec4 place, turn; in float value;
  uniform mat4 view, projection; uniform vec4 cut; out vec3 n; out float shown;
  vec3 turned(vec3 v) { return v + 2.0 * cross(turn.yzw, cross(turn.yzw, v) + turn.x * v); }
  void main() {
    n = mat3(view) * turned(normal); shown = value;
    gl_Position = dot(cut.xyz, place.xyz) > cut.w ? vec4(2.0, 2.0, 2.0, 1.0) : projection * view * vec4(place.xyz + place.w * turned(point), 1.0);
  }`;
const GRAIN_FRAGMENT = `#version 300 es
  precision highp float;
  in vec3 n; in float shown; uniform sampler2D palette; out vec4 colour;
  ${LIGHT}
  void main() { colour = vec4(shade(texture(palette, vec2(shown, 0.5)).rgb, normalize(n)), 1.0); }`;
const WALL_VERTEX = `#version 300 es
  in vec3 point; uniform mat4 view, projection; uniform vec4 cut; out float beyond;
  void main() { beyond = dot(cut.xyz, point) - cut.w; gl_Position = projection * view * vec4(point, 1.0); }`;
const WALL_FRAGMENT = `#version 300 es
  precision highp float; in float beyond; uniform vec4 tint; out vec4 colour;
  void main() { if (beyond > 0.0) discard; colour = tint; }`;

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const scaled = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
const sum = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const timeText = (time, longest) => {  // in a unit that suits the longest time
  const [factor, name, places] = longest >= 100 ? [1, "s", 1] : longest >= 0.02 ? [1, "s", 3] : longest >= 2e-5 ? [1e3, "ms", 3] : [1e6, "µs", 3];
  return `t = ${(time * factor).toFixed(places)} ${name}`;
};
const unit = (a) => scaled(a, 1 / (Math.hypot(...a) || 1));

async function unzipped(text) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

class GrainView {
  constructor(canvas, scene, data) {
    this.canvas = canvas;
    const gl = this.gl = canvas.getContext("webgl2", { antialias: true, alpha: true, preserveDrawingBuffer: true });
    if (!gl) throw new Error("this browser shows no WebGL 2");
    this.spheres = this.program(SPHERE_VERTEX, SPHERE_FRAGMENT);
    this.grains = this.program(GRAIN_VERTEX, GRAIN_FRAGMENT);
    this.walls = this.program(WALL_VERTEX, WALL_FRAGMENT);
    this.corners = this.buffer(new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]));
    this.makePalette();
    this.showWalls = true; this.field = 0; this.cutAxis = -1; this.cutPart = 0.5;
    this.load(scene, data);
    this.reset(); this.show(0); this.listen();
    new ResizeObserver(() => this.draw()).observe(canvas);
  }

  // Takes another scene; the view stays.
  load(scene, data) {
    const gl = this.gl;
    for (const buffer of this.kept || []) gl.deleteBuffer(buffer);
    this.scene = scene; this.data = data;
    this.templates = scene.templates.map((t) => ({ points: this.buffer(this.array(t.points)), normals: this.buffer(this.array(t.normals)), triangles: this.buffer(this.array(t.triangles), gl.ELEMENT_ARRAY_BUFFER), n: t.triangles.n }));
    this.wallBuffers = scene.walls.map((wall) => wall.shapes.map((shape) => shape && ["triangles", "lines"].map((kind) => ({ buffer: this.buffer(this.array(shape[kind])), n: shape[kind].n / 3 }))));
    this.kept = [...this.templates.flatMap((t) => [t.points, t.normals, t.triangles]), ...this.wallBuffers.flat(2).filter((part) => part).map((part) => part.buffer)];
    this.span = [0, 1, 2].map((k) => scene.high[k] - scene.low[k]);
    this.middle = [0, 1, 2].map((k) => (scene.high[k] + scene.low[k]) / 2);
    this.size = Math.hypot(...this.span) / 2 + scene.largest;
    this.up = unit(Math.hypot(...scene.up) > 0 ? scene.up : [0, 0, 1]);
    this.side = unit(cross(this.up, Math.abs(this.up[1]) < 0.9 ? [0, -1, 0] : [0, 0, 1]));
    this.front = cross(this.side, this.up);
  }

  reset() { this.turn = 0.5; this.lift = 0.4; this.distance = 4.7 * this.size; this.target = this.middle.slice(); }

  array({ at, n, type }) {
    const kind = { "<f4": Float32Array, "<u2": Uint16Array, "u1": Uint8Array, "<u4": Uint32Array }[type];
    return new kind(this.data, at, n);
  }

  buffer(values, target) {
    const gl = this.gl, buffer = gl.createBuffer();
    target = target || gl.ARRAY_BUFFER;
    gl.bindBuffer(target, buffer); gl.bufferData(target, values, gl.STATIC_DRAW);
    return buffer;
  }

  program(vertex, fragment) {
    const gl = this.gl, program = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text); gl.compileShader(shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
    const inputs = {}, uniforms = {};
    for (let k = 0; k < gl.getProgramParameter(program, gl.ACTIVE_ATTRIBUTES); ++k) { const { name } = gl.getActiveAttrib(program, k); inputs[name] = gl.getAttribLocation(program, name); }
    for (let k = 0; k < gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS); ++k) { const { name } = gl.getActiveUniform(program, k); uniforms[name] = gl.getUniformLocation(program, name); }
    return { program, inputs, uniforms };
  }

  makePalette() {
    const gl = this.gl, pixels = new Uint8Array(256 * 4);
    for (let k = 0; k < 256; ++k) {
      const at = k / 255 * (VIRIDIS.length - 1), a = VIRIDIS[Math.floor(at)], b = VIRIDIS[Math.ceil(at)], part = at % 1;
      for (let c = 0; c < 3; ++c) pixels[4 * k + c] = (1 - part) * parseInt(a.substr(2 * c, 2), 16) + part * parseInt(b.substr(2 * c, 2), 16);
      pixels[4 * k + 3] = 255;
    }
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 256, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    for (const [name, value] of [[gl.TEXTURE_MIN_FILTER, gl.LINEAR], [gl.TEXTURE_MAG_FILTER, gl.LINEAR], [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE], [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE]]) gl.texParameteri(gl.TEXTURE_2D, name, value);
  }

  show(k) {
    const gl = this.gl;
    for (const buffer of this.owned || []) gl.deleteBuffer(buffer);
    const frame = this.scene.frames[k], field = this.field;
    const value = (values) => this.buffer(values.length ? this.array(values[field]) : new Uint8Array(0));
    this.index = k;
    this.now = { place: this.buffer(this.array(frame.position)), size: this.buffer(this.array(frame.radius)), count: frame.count,
      value: frame.values.length ? value(frame.values) : this.buffer(new Uint8Array(frame.count).fill(90)),
      grains: (frame.grains || []).map((g) => ({ ...g, buffer: this.buffer(this.array(g.rows)), value: g.values.length ? value(g.values) : this.buffer(new Uint8Array(g.count).fill(90)) })) };
    this.owned = [this.now.place, this.now.size, this.now.value, ...this.now.grains.flatMap((g) => [g.buffer, g.value])];
    this.draw();
  }

  eye() {
    const flat = sum(scaled(this.front, Math.cos(this.turn)), scaled(this.side, Math.sin(this.turn)));
    return unit(sum(scaled(flat, Math.cos(this.lift)), scaled(this.up, Math.sin(this.lift))));
  }

  matrices() {
    const back = this.eye(), right = unit(cross(this.up, back)), up = cross(back, right);
    const from = sum(this.target, scaled(back, this.distance));
    const view = new Float32Array([right[0], up[0], back[0], 0, right[1], up[1], back[1], 0, right[2], up[2], back[2], 0, -dot(right, from), -dot(up, from), -dot(back, from), 1]);
    const ratio = this.canvas.width / this.canvas.height, f = 1 / Math.tan(0.22) * Math.min(1, ratio);
    const near = Math.max(0.02 * this.size, this.distance - 4 * this.size), far = this.distance + 6 * this.size;
    const projection = new Float32Array([f / ratio, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / (near - far), -1, 0, 0, 2 * far * near / (near - far), 0]);
    return { view, projection, right, up };
  }

  cut() {
    if (this.cutAxis < 0) return [0, 0, 0, 1e30];
    const axis = [0, 0, 0], sign = this.eye()[this.cutAxis] < 0 ? -1 : 1;
    axis[this.cutAxis] = sign;
    return [...axis, sign * (this.scene.low[this.cutAxis] + this.cutPart * this.span[this.cutAxis])];
  }

  use({ program, uniforms }, matrices) {
    const gl = this.gl;
    gl.useProgram(program);
    gl.uniformMatrix4fv(uniforms.view, false, matrices.view);
    gl.uniformMatrix4fv(uniforms.projection, false, matrices.projection);
    gl.uniform4fv(uniforms.cut, this.cut());
  }

  input(location, buffer, size, type, { normalised = false, stride = 0, at = 0, each = 0 } = {}) {
    const gl = this.gl;
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer); gl.enableVertexAttribArray(location);
    gl.vertexAttribPointer(location, size, type, normalised, stride, at);
    gl.vertexAttribDivisor(location, each);
    this.inputs.push(location);
  }

  release() { for (const k of this.inputs) { this.gl.disableVertexAttribArray(k); this.gl.vertexAttribDivisor(k, 0); } this.inputs = []; }

  draw() {
    const { gl, canvas } = this, ratio = Math.min(window.devicePixelRatio || 1, 2);
    const width = Math.round(canvas.clientWidth * ratio), height = Math.round(canvas.clientHeight * ratio);
    if (!width || !this.now) return;
    if (canvas.width !== width || canvas.height !== height) { canvas.width = width; canvas.height = height; }
    this.inputs = this.inputs || [];
    gl.viewport(0, 0, width, height); gl.clearColor(0, 0, 0, 0); gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST); gl.disable(gl.BLEND); gl.depthMask(true);
    const matrices = this.matrices();
    this.drawSpheres(matrices); this.drawGrains(matrices);
    if (this.showWalls) this.drawWalls(matrices);
  }

  drawSpheres(matrices) {
    const { gl, now } = this, { inputs, uniforms } = this.spheres;
    if (!now.count) return;
    this.use(this.spheres, matrices);
    gl.uniform3fv(uniforms.low, this.scene.low); gl.uniform3fv(uniforms.span, this.span); gl.uniform1f(uniforms.largest, this.scene.largest);
    this.input(inputs.corner, this.corners, 2, gl.FLOAT);
    this.input(inputs.place, now.place, 3, gl.UNSIGNED_SHORT, { normalised: true, each: 1 });
    this.input(inputs.size, now.size, 1, gl.UNSIGNED_SHORT, { normalised: true, each: 1 });
    this.input(inputs.value, now.value, 1, gl.UNSIGNED_BYTE, { normalised: true, each: 1 });
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, now.count);
    this.release();
  }

  drawGrains(matrices) {
    const { gl } = this, { inputs } = this.grains;
    for (const grains of this.now.grains) {
      const template = this.templates[grains.template];
      this.use(this.grains, matrices);
      this.input(inputs.point, template.points, 3, gl.FLOAT);
      this.input(inputs.normal, template.normals, 3, gl.FLOAT);
      this.input(inputs.place, grains.buffer, 4, gl.FLOAT, { stride: 32, each: 1 });
      this.input(inputs.turn, grains.buffer, 4, gl.FLOAT, { stride: 32, at: 16, each: 1 });
      this.input(inputs.value, grains.value, 1, gl.UNSIGNED_BYTE, { normalised: true, each: 1 });
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, template.triangles);
      gl.drawElementsInstanced(gl.TRIANGLES, template.n, gl.UNSIGNED_INT, 0, grains.count);
      this.release();
    }
  }

  drawWalls(matrices) {
    const { gl } = this, { inputs, uniforms } = this.walls, dark = matchMedia("(prefers-color-scheme: dark)").matches;
    this.use(this.walls, matrices);
    gl.enable(gl.BLEND); gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA); gl.depthMask(false);
    for (const shapes of this.wallBuffers) {
      const shape = shapes[Math.min(this.index, shapes.length - 1)];
      if (!shape) continue;
      [[gl.TRIANGLES, [0.4, 0.45, 0.52, 0.13]], [gl.LINES, dark ? [0.8, 0.85, 0.9, 0.5] : [0.2, 0.25, 0.3, 0.55]]].forEach(([kind, tint], part) => {
        if (!shape[part].n) return;
        gl.uniform4fv(uniforms.tint, tint);
        this.input(inputs.point, shape[part].buffer, 3, gl.FLOAT);
        gl.drawArrays(kind, 0, shape[part].n);
        this.release();
      });
    }
    gl.depthMask(true);
  }

  listen() {
    const { canvas } = this, fingers = new Map();
    canvas.onpointerdown = (event) => { fingers.set(event.pointerId, [event.clientX, event.clientY]); try { canvas.setPointerCapture(event.pointerId); } catch { /* a pointer that a script has made */ } };
    canvas.onpointerup = canvas.onpointercancel = (event) => fingers.delete(event.pointerId);
    canvas.onpointermove = (event) => {
      const old = fingers.get(event.pointerId);
      if (!old) return;
      const [dx, dy] = [event.clientX - old[0], event.clientY - old[1]];
      if (fingers.size === 2) {
        const other = [...fingers].find(([id]) => id !== event.pointerId)[1];
        this.distance *= Math.hypot(old[0] - other[0], old[1] - other[1]) / Math.max(1, Math.hypot(event.clientX - other[0], event.clientY - other[1]));
      } else if (event.shiftKey || event.buttons === 2 || event.buttons === 4) {
        const { right, up } = this.matrices(), s = 0.44 * this.distance / canvas.clientHeight;
        this.target = sum(this.target, sum(scaled(right, -dx * s), scaled(up, dy * s)));
      } else {
        this.turn -= dx * 0.008; this.lift = Math.max(-1.55, Math.min(1.55, this.lift + dy * 0.008));
      }
      fingers.set(event.pointerId, [event.clientX, event.clientY]);
      this.draw();
    };
    canvas.oncontextmenu = (event) => event.preventDefault();
    canvas.addEventListener("wheel", (event) => { event.preventDefault(); this.distance *= Math.exp(0.0012 * event.deltaY); this.draw(); }, { passive: false });
    canvas.ondblclick = () => { this.reset(); this.draw(); };
  }
}

// A bar with both ends, or the names of what has a colour of its own.
function showLegend(field) {
  const find = (id) => document.getElementById(id);
  find("legend").hidden = !field;
  if (!field) return;
  const [low, high] = field.range, step = (high - low) / 50, largest = Math.max(Math.abs(low), Math.abs(high)), names = field.names || [];
  find("low").textContent = names.length ? "" : numberText(low, step, largest);
  find("high").textContent = names.length ? "" : `${numberText(high, step, largest)} ${field.unit}`;
  find("gradient").hidden = names.length > 0;
  find("gradient").style.background = `linear-gradient(90deg, ${VIRIDIS.map((c) => "#" + c).join(", ")})`;
  find("names").replaceChildren(...names.map((name, k) => {
    const one = document.createElement("span"), dot = document.createElement("b");
    dot.style.background = viridis(Math.min(1, k / Math.max(1, high - low)));
    one.append(dot, name);
    return one;
  }));
}

function viridis(part) {
  const at = part * (VIRIDIS.length - 1), a = VIRIDIS[Math.floor(at)], b = VIRIDIS[Math.ceil(at)];
  const mixed = [0, 2, 4].map((c) => Math.round((1 - at % 1) * parseInt(a.substr(c, 2), 16) + at % 1 * parseInt(b.substr(c, 2), 16)));
  return `rgb(${mixed.join(", ")})`;
}

function showGrains(view) {
  const find = (id) => document.getElementById(id), frames = view.scene.frames, moment = find("moment");
  const say = () => { find("when").textContent = timeText(frames[moment.value].time, frames[frames.length - 1].time); };
  moment.max = frames.length - 1;
  moment.oninput = () => { view.show(Number(moment.value)); say(); };
  const legend = () => showLegend(view.scene.fields[view.field]);
  view.scene.fields.forEach((field, k) => find("field").add(new Option(field.label, k)));
  find("field").onchange = () => { view.field = Number(find("field").value); legend(); view.show(view.index); };
  find("cut").onchange = () => { view.cutAxis = Number(find("cut").value); find("depth").disabled = view.cutAxis < 0; view.draw(); };
  find("depth").oninput = () => { view.cutPart = Number(find("depth").value); view.draw(); };
  find("walls").onchange = () => { view.showWalls = find("walls").checked; view.draw(); };
  find("home").onclick = () => { view.reset(); view.draw(); };
  let timer = null;
  find("play").onclick = () => {
    if (timer) { clearInterval(timer); timer = null; find("play").textContent = "Play"; return; }
    find("play").textContent = "Pause";
    timer = setInterval(() => { moment.value = (Number(moment.value) + 1) % frames.length; moment.oninput(); }, 90);
  };
  legend();
  const start = frames.findIndex((frame) => frame.time >= 0.3 * frames[frames.length - 1].time);
  moment.value = Math.max(0, start);
  moment.oninput();
}
