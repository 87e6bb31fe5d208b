// As much of a browser as the console asks for to draw its map: elements that keep children, attributes and listeners,
// canvases that remember which images were drawn, and a worker that runs in the page. Nothing is laid out or painted.

const [WIDTH, HEIGHT] = [800, 600];
const PARTS = ['fieldMap', 'fieldLines', 'baseLayer', 'nearestPlace'];
const ROOM = { left: 0, top: 0, x: 0, y: 0, width: WIDTH, height: HEIGHT, right: WIDTH, bottom: HEIGHT };

class Listened {
  #listeners = new Map();

  addEventListener(type, listener) {
    if (!this.#listeners.has(type)) this.#listeners.set(type, new Set());
    this.#listeners.get(type).add(listener);
  }

  removeEventListener(type, listener) {
    this.#listeners.get(type)?.delete(listener);
  }

  /** Tells an event to whoever listens. */
  tell(type, more = {}) {
    const event = { type, target: this, currentTarget: this, preventDefault() {}, ...more };
    for (const listener of [...(this.#listeners.get(type) ?? [])]) (listener.handleEvent ?? listener).call(this, event);
  }
}

class FakeNode extends Listened {
  childNodes = [];
  parentNode = null;
  attributes = new Map();
  dataset = {};
  style = { setProperty() {}, removeProperty() {} };
  classList = { add() {}, remove() {}, toggle() {}, contains: () => false };
  // Preact asks for it before it listens to clicks.
  onclick = null;
  [Symbol.toStringTag] = 'HTMLElement';

  constructor(page, localName, nodeType = 1) {
    super();
    Object.assign(this, { localName, nodeType, tagName: localName.toUpperCase(), ownerDocument: page });
    Object.assign(this, { clientWidth: WIDTH, clientHeight: HEIGHT, offsetWidth: WIDTH, offsetHeight: HEIGHT });
  }

  get firstChild() {
    return this.childNodes[0] ?? null;
  }

  get children() {
    return this.childNodes;
  }

  get parentElement() {
    return this.parentNode;
  }

  get nextSibling() {
    const around = this.parentNode?.childNodes ?? [];
    return around[around.indexOf(this) + 1] ?? null;
  }

  insertBefore(node, before) {
    node.remove();
    const at = before == null ? this.childNodes.length : this.childNodes.indexOf(before);
    this.childNodes.splice(at, 0, node);
    node.parentNode = this;
    return node;
  }

  appendChild(node) {
    return this.insertBefore(node, null);
  }

  append(...nodes) {
    for (const node of nodes) this.appendChild(node);
  }

  removeChild(node) {
    const at = this.childNodes.indexOf(node);
    if (at >= 0) this.childNodes.splice(at, 1);
    node.parentNode = null;
    return node;
  }

  remove() {
    this.parentNode?.removeChild(this);
  }

  replaceChildren(...nodes) {
    for (const node of [...this.childNodes]) node.remove();
    this.append(...nodes);
  }

  contains(node) {
    return node === this || (node?.parentNode != null && this.contains(node.parentNode));
  }

  getRootNode() {
    return this.ownerDocument;
  }

  setAttribute(name, value) {
    this.attributes.set(name, String(value));
  }

  getAttribute(name) {
    return this.attributes.get(name) ?? null;
  }

  removeAttribute(name) {
    this.attributes.delete(name);
  }

  getBoundingClientRect() {
    return ROOM;
  }

  querySelector() {
    return null;
  }

  focus() {}

  /** All nodes below. */
  *below() {
    for (const node of this.childNodes) {
      yield node;
      yield* node.below();
    }
  }

  getContext() {
    const { drawn } = this.ownerDocument;
    const own = { canvas: this, drawImage: (image) => void drawn.push(image), measureText: () => ({ width: 10 }) };
    this.context ??= new Proxy(own, { get: (known, name) => known[name] ?? (() => undefined) });
    return this.context;
  }
}

class FakePage extends Listened {
  nodeType = 9;
  hidden = false;
  // Fonts are never there: nobody waits for them.
  fonts = { ready: new Promise(() => {}) };
  /** Every image that was drawn on a canvas, in order. */
  drawn = [];
  documentElement = new FakeNode(this, 'html');
  body = new FakeNode(this, 'body');
  root = new FakeNode(this, 'div');

  createElement(name) {
    return new FakeNode(this, name);
  }

  createElementNS(_space, name) {
    return new FakeNode(this, name);
  }

  createTextNode(data) {
    return Object.assign(new FakeNode(this, '#text', 3), { data });
  }

  getElementById() {
    return this.root;
  }

  /** The page names the addresses of its workers, here the names of their programs, and the files of its parts. */
  querySelector(selector) {
    if (selector.includes('parts')) return { content: PARTS.map((part) => `${part} ${part}.js`).join(';') };
    return { content: selector.includes('picture-worker') ? 'pictureWorker' : '' };
  }

  contains(node) {
    return this.root.contains(node);
  }

  /** The element that has this name for screen readers. */
  labelled(label) {
    return [...this.root.below()].find((node) => node.getAttribute('aria-label')?.startsWith(label));
  }
}

/** Tells the size of what it observes once, as a browser does. */
class FakeResizeObserver {
  constructor(told) {
    this.told = told;
  }

  observe(target) {
    setTimeout(() => this.told([{ target, contentRect: ROOM }]), 0);
  }

  unobserve() {}

  disconnect() {}
}

/** A worker whose program is part of the page: it listens to the page's messages, and what it posts is told to its owner. */
const workerOf = (view, started) =>
  class {
    constructor(address) {
      this.address = address;
    }

    postMessage(data) {
      started.push(this);
      setTimeout(() => view.tell('message', { data }), 0);
    }

    terminate() {}
  };

const memory = (kept) => ({
  getItem: (name) => kept.get(name) ?? null,
  setItem: (name, value) => void kept.set(name, value),
  removeItem: (name) => void kept.delete(name),
});

const emptyClasses = (...names) => Object.fromEntries(names.map((name) => [name, class {}]));

/** What moves by itself: timers and frames. They end with the page. */
function timersOf({ setTimeout, setInterval, clearTimeout: end }) {
  const running = new Set();
  let isOver = false;
  const starting =
    (start) =>
    (...call) => {
      // What the page goes on with after its end begins nothing more.
      if (isOver) return undefined;
      const timer = start(...call);
      running.add(timer);
      return timer;
    };
  const setTimer = starting(setTimeout);
  return {
    setTimeout: setTimer,
    setInterval: starting(setInterval),
    requestAnimationFrame: (draw) => setTimer(() => draw(performance.now()), 1),
    cancelAnimationFrame: end,
    endAll: () => {
      isOver = true;
      for (const timer of running) end(timer);
    },
  };
}

/** What of a browser is global. */
function globalsOf({ address, fetch, kept }, { page, view, workers }) {
  const location = { hash: address, href: `http://service/console/${address}`, origin: 'http://service', search: '' };
  return {
    ...{ document: page, location, fetch, navigator: { onLine: true, userAgent: 'test', language: 'en' } },
    ...{ sessionStorage: memory(new Map(Object.entries(kept))), localStorage: memory(new Map()) },
    ...{ devicePixelRatio: 1, innerWidth: WIDTH, innerHeight: HEIGHT, window: globalThis, self: globalThis },
    history: { replaceState: (_state, _title, href) => void (location.hash = href), pushState() {} },
    matchMedia: () => ({ matches: false, addEventListener() {}, removeEventListener() {} }),
    getComputedStyle: () => new Proxy({}, { get: () => '0' }),
    addEventListener: (...call) => view.addEventListener(...call),
    removeEventListener: (...call) => view.removeEventListener(...call),
    postMessage: (data) => void setTimeout(() => workers.at(-1)?.onmessage({ data }), 0),
    createImageBitmap: (image) => Promise.resolve({ ...image, close() {} }),
    ...{ Worker: workerOf(view, workers), ResizeObserver: FakeResizeObserver },
    ImageData: class {
      constructor(data, width, height) {
        Object.assign(this, { data, width, height });
      }
    },
    ...emptyClasses('HTMLCanvasElement', 'HTMLImageElement', 'HTMLVideoElement', 'HTMLInputElement'),
    ...emptyClasses('ShadowRoot', 'Image'),
  };
}

/**
 * Puts a browser around what is loaded next: the fragment of its address, what its requests are answered, what its session
 * has kept.
 */
export function fakeBrowser(around) {
  const page = new FakePage();
  const workers = [];
  const { endAll, ...timers } = timersOf(globalThis);
  const globals = { ...globalsOf(around, { page, view: new Listened(), workers }), ...timers };
  const before = Object.entries(Object.getOwnPropertyDescriptors(globalThis)).filter(([name]) => name in globals);
  for (const [name, value] of Object.entries(globals)) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
  return {
    drawn: page.drawn,
    workersAsked: () => [...new Set(workers.map(({ address }) => address))],
    labelled: (label) => page.labelled(label),
    close: () => {
      endAll();
      for (const name of Object.keys(globals)) if (!(name in timers)) delete globalThis[name];
      for (const [name, descriptor] of before) {
        if (!(name in timers)) Object.defineProperty(globalThis, name, descriptor);
      }
    },
  };
}
