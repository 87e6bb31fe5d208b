// A proxy in front of the storage services that loses, delays and breaks requests and answers.
//
// It ends TLS with the certificate of the local environment and sends each request on as it came: bearer tokens and
// shared-key signatures survive, because neither covers the host.
import { readFileSync } from 'node:fs';
import { Agent, createServer as createTlsServer, request as sendRequest } from 'node:https';
import { createServer } from 'node:net';
import { pick } from './random.mjs';

export const services = ['table', 'queue', 'blob'];
const endpoints = { table: 'TableEndpoint', queue: 'QueueEndpoint', blob: 'BlobEndpoint' };

/**
 * What can happen to a request:
 * - `dropBefore`: the connection is cut, nothing is applied;
 * - `dropAfter`: the request is applied, then the connection is cut;
 * - `status`: answered with `status` (503 when left out), nothing is applied;
 * - `statusAfter`: applied, then answered with `status` (500 when left out);
 * - `delay`: applied after `milliseconds`;
 * - `truncate`: applied, the answer breaks off half way.
 */
export const kinds = ['dropBefore', 'dropAfter', 'status', 'statusAfter', 'delay', 'truncate'];

const SERVICE_OF_FAULT = 'the fault proxy';

class FaultProxy {
  #directory;
  #random;
  #rules = [];
  #watchers = [];
  #listeningToAnswers = [];
  #listeners = new Map();
  #ports = new Map();
  #agent;
  #isClosed = false;
  /** Faults that happened, by kind. */
  counts = Object.fromEntries(kinds.map((kind) => [kind, 0]));
  /** Requests that are being held or sent on; some callers may have given them up. */
  pending = 0;
  /** Requests that came, by service. */
  requests = Object.fromEntries(services.map((service) => [service, 0]));

  constructor(random, directory) {
    this.#random = random;
    this.#directory = directory;
  }

  /** All faults that happened so far. */
  get faults() {
    return Object.values(this.counts).reduce((sum, count) => sum + count, 0);
  }

  /**
   * Adds a rule; the first rule that matches a request strikes it.
   *
   * @param rule `kind` or `kinds` (one is drawn), `share` of the matching requests (1 when left out), `times` at most,
   *   `service`, `matches(request)` with `{ service, method, path, body }`; `status` (or `statuses`, one is drawn) and `milliseconds` of the kind
   */
  add(...rules) {
    for (const rule of rules) this.#rules.push({ share: 1, times: Infinity, struck: 0, ...rule });
  }

  /** Takes all rules away. */
  clear() {
    this.#rules = [];
  }

  /** Calls and awaits `watch(request)` before each request is sent on: what it awaits holds the request. */
  onRequest(watch) {
    this.#watchers.push(watch);
  }

  /** Calls `listen(request, { status, body })` with each answer of storage, whether it reaches the caller or not. */
  onAnswer(listen) {
    this.#listeningToAnswers.push(listen);
  }

  async start() {
    for (const service of services) await this.#listen(service, 0);
  }

  urlOf(service) {
    return `https://127.0.0.1:${this.#ports.get(service)}`;
  }

  /** Storage goes away: connections are cut, new ones refused. */
  async closePorts() {
    this.#isClosed = true;
    for (const { server, sockets } of this.#listeners.values()) {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    }
    this.#listeners.clear();
  }

  async openPorts() {
    for (const service of services) await this.#listen(service, this.#ports.get(service));
    this.#isClosed = false;
  }

  async stop() {
    this.clear();
    if (!this.#isClosed) await this.closePorts();
    this.#agent?.destroy();
  }

  /** The certificate and the services exist only when the first request comes: the service starts after its proxy. */
  async #listen(service, port) {
    const sockets = new Set();
    let tls;
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      tls ??= this.#tlsServer(service);
      tls.emit('connection', socket);
    });
    await new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', resolve);
    });
    this.#ports.set(service, server.address().port);
    this.#listeners.set(service, { server, sockets });
  }

  #tlsServer(service) {
    const certificates = `${this.#directory}/certificates`;
    const cert = readFileSync(`${certificates}/local.crt`);
    const key = readFileSync(`${certificates}/local.key`);
    this.#agent ??= new Agent({ keepAlive: true, ca: cert, maxSockets: 200 });
    const settings = JSON.parse(readFileSync(`${this.#directory}/settings.json`, 'utf8'));
    const pattern = new RegExp(`${endpoints[service]}=(https://[^/;]+)`);
    const target = new URL(pattern.exec(settings.DATA_STORAGE)[1]);
    const server = createTlsServer({ cert, key, keepAliveTimeout: 60_000 }, (incoming, outgoing) => {
      this.pending += 1;
      this.#serve({ service, target, incoming, outgoing })
        .catch(() => outgoing.destroy())
        .finally(() => (this.pending -= 1));
    });
    server.on('tlsClientError', () => undefined);
    return server;
  }

  async #serve({ service, target, incoming, outgoing }) {
    const body = await bodyOf(incoming);
    this.requests[service] += 1;
    const request = { service, method: incoming.method, path: incoming.url, headers: incoming.headers, body };
    for (const watch of this.#watchers) await watch(request);
    const fault = this.#take(request);
    if (fault !== undefined) this.counts[fault.kind] += 1;
    if (fault?.kind === 'dropBefore') return void outgoing.destroy();
    if (fault?.kind === 'status') return refuse(outgoing, fault.status ?? 503);
    if (fault?.kind === 'delay') await new Promise((resolve) => setTimeout(resolve, fault.milliseconds ?? 1_000));
    const answer = await this.#forward(target, request);
    for (const listen of this.#listeningToAnswers) listen(request, answer);
    if (fault?.kind === 'dropAfter') return void outgoing.destroy();
    if (fault?.kind === 'statusAfter') return refuse(outgoing, fault.status ?? 500);
    outgoing.writeHead(answer.status, answer.headers);
    if (fault?.kind !== 'truncate') return void outgoing.end(answer.body);
    outgoing.write(answer.body.subarray(0, Math.floor(answer.body.length / 2)), () => outgoing.destroy());
  }

  #take(request) {
    for (const rule of this.#rules) {
      if (rule.struck >= rule.times) continue;
      if (rule.service !== undefined && rule.service !== request.service) continue;
      if (rule.matches !== undefined && !rule.matches(request)) continue;
      if (this.#random() >= rule.share) continue;
      rule.struck += 1;
      const kind = rule.kind ?? pick(this.#random, rule.kinds);
      return { ...rule, kind, ...(rule.statuses && { status: pick(this.#random, rule.statuses) }) };
    }
    return undefined;
  }

  #forward(target, { method, path, headers, body }) {
    return new Promise((resolve, reject) => {
      const options = { host: target.hostname, port: target.port, method, path, headers, agent: this.#agent };
      const outgoing = sendRequest(options, (answer) => {
        bodyOf(answer).then((bytes) => {
          // The whole answer is known by now, so its length is.
          const { 'transfer-encoding': _chunked, ...kept } = answer.headers;
          const length = method === 'HEAD' ? {} : { 'content-length': bytes.length };
          resolve({ status: answer.statusCode, headers: { ...kept, ...length }, body: bytes });
        }, reject);
      });
      outgoing.once('error', reject);
      outgoing.end(body);
    });
  }
}

function refuse(outgoing, status) {
  const body = `{"odata.error":{"code":"ServerBusy","message":{"value":"Answered by ${SERVICE_OF_FAULT}."}}}`;
  outgoing.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  outgoing.end(body);
}

async function bodyOf(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/**
 * Starts the proxy before the service it stands in front of.
 *
 * @param directory LOCAL_DIR of that service: its certificate and settings are there when the first request comes
 * @param random draws which requests are struck
 */
export async function startFaultProxy({ directory, random }) {
  const proxy = new FaultProxy(random, directory);
  await proxy.start();
  return proxy;
}
