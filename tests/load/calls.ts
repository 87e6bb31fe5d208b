/** The requests of the operations, sent raw and over kept connections: a driver must cost less than the service. */
import { Agent, request } from 'node:http';
import type { Outcome } from './openLoop.js';
import type { ServiceFile } from './runningService.js';

const GDD = '/solutions/partnerAgPowered.gdd';
/** Longer than any answer may take. */
const TIMEOUT_MS = 60_000;

export interface Call {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** The status of a right answer. */
  readonly expected: number;
}

export interface Answer {
  readonly status: number;
  readonly body: string;
}

/** Sends calls to one service. */
export class Caller {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1_000 });
  readonly #url: URL;

  constructor(baseUrl: string) {
    this.#url = new URL(baseUrl);
  }

  send({ method, path, headers, body }: Call): Promise<Answer> {
    const { hostname, port } = this.#url;
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const options = { agent: this.#agent, hostname, port, method, path, headers: { ...headers, ...length } };
    return new Promise((resolve, reject) => {
      const outgoing = request({ ...options, timeout: TIMEOUT_MS }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () => {
          resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') });
        });
        answer.once('error', reject);
      });
      outgoing.once('error', reject).once('timeout', () => outgoing.destroy(new Error('no answer in time')));
      outgoing.end(body);
    });
  }

  /** For an open loop: whether the answer was right. */
  async outcome(call: Call): Promise<Outcome> {
    const { status } = await this.send(call);
    return status === call.expected ? { ok: true } : { ok: false, why: `status ${status}` };
  }

  /** @throws when the answer is not the right one */
  async json(call: Call): Promise<unknown> {
    const { status, body } = await this.send(call);
    if (status !== call.expected) throw new Error(`${call.method} ${call.path} answered ${status}: ${body}`);
    return JSON.parse(body);
  }

  close(): void {
    this.#agent.destroy();
  }
}

const jobCall = (service: ServiceFile, operation: string, body: object, expected: number): Call => ({
  method: 'POST',
  path: `${GDD}:${operation}`,
  headers: { authorization: `Bearer ${service.jwt}`, 'content-type': 'application/json' },
  body: JSON.stringify(body),
  expected,
});

export const createCall = (service: ServiceFile, jobId: string): Call =>
  jobCall(
    service,
    'create',
    {
      requestPath: `/v1/gdd/${jobId}`,
      partnerRequestBody: {
        partyId: service.partyId,
        resourceType: 'Field',
        resourceId: service.fieldIds[0],
        crop: 'CORN',
        gddStartDate: '2025-04-01',
        gddEndDate: '2025-10-17',
      },
    },
    202,
  );

export const fetchCall = (service: ServiceFile, jobId: string): Call =>
  jobCall(service, 'fetch', { requestPath: `/v1/gdd/${jobId}` }, 200);

export const cancelCall = (service: ServiceFile, jobId: string): Call =>
  jobCall(service, 'cancel', { requestPath: `/v1/gdd/${jobId}` }, 200);

const keyCall = ({ apiKey }: ServiceFile, path: string): Call => ({
  method: 'GET',
  path,
  headers: { 'api-key': apiKey },
  expected: 200,
});

export const listCall = (service: ServiceFile): Call => keyCall(service, '/v1/enrollments?limit=50');
export const getCall = (service: ServiceFile, id: string): Call => keyCall(service, `/v1/enrollments/${id}`);
export const sasCall = (service: ServiceFile): Call => keyCall(service, '/v1/auth/sas-token');
