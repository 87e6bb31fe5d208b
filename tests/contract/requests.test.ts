import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { functionTable } from '../../functions/functionTable.js';
import { call, fetchGdd, newJobId, service, tokenOf, untilEnded, type Reply } from './service.js';

interface HttpFileRequest {
  readonly title: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** The requests of docs/requests.http in order, its variables left as they stand. */
function requestsOf(text: string): HttpFileRequest[] {
  return text
    .split(/^### /m)
    .slice(1)
    .map((section) => {
      const [head = '', ...bodyParts] = section.split(/\n\n/);
      const [title = '', requestLine = '', ...headerLines] = head.trim().split('\n');
      const [method = '', url = ''] = requestLine.split(' ');
      const headers = Object.fromEntries(
        headerLines.map((line) => line.split(/: (.*)/).slice(0, 2) as [string, string]),
      );
      const body = bodyParts.join('\n\n').trim();
      return { title, method, path: url.replace('{{baseUrl}}', ''), headers, body: body === '' ? undefined : body };
    });
}

/** What later requests take from answers. */
interface Answered {
  readonly enrollment_id?: string;
  readonly id?: string;
  readonly operationId?: string;
  readonly value?: readonly { readonly id: string }[];
}

const text = readFileSync('docs/requests.http', 'utf8');
const file = requestsOf(text);
/** What the file itself gives its variables. */
const defaults = Object.fromEntries([...text.matchAll(/^@(\w+) = (.*)$/gm)].map(([, name, value]) => [name, value]));

/** The variables of the file as the running service gives them, and those that answers bring. */
class Variables {
  readonly #values: Map<string, string>;

  constructor(jobId: string) {
    const {
      insightId: _insight,
      enrollmentId: _enrollment,
      importId: _import,
      attachmentId: _file,
      ...rest
    } = defaults;
    const { operationId: _operation, ...own } = rest;
    const operatorJwt = tokenOf('operator', '--roles', 'Operate');
    const { jwt, apiKey, partyId, farmId, fieldIds } = service;
    const answered = { jwt, apiKey, operatorJwt, partyId, farmId, fieldId: fieldIds[0], jobId };
    this.#values = new Map(Object.entries({ ...own, ...answered }));
  }

  filled(text: string): string {
    return text.replaceAll(/\{\{(\w+)\}\}/g, (_all, name: string) => this.#values.get(name) ?? name);
  }

  async learn(name: string, value: () => Promise<string | undefined> | string | undefined): Promise<void> {
    if (this.#values.has(name)) return;
    const learnt = await value();
    if (learnt !== undefined) this.#values.set(name, learnt);
  }
}

/** Sends one request of the file as an editor does; a multipart body has the line ends that RFC 2046 wants. */
async function send({ method, path, headers, body }: HttpFileRequest, variables: Variables): Promise<Reply> {
  const sent = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), variables.filled(value)]),
  );
  const isMultipart = sent['content-type']?.startsWith('multipart/') === true;
  const filled = body === undefined ? undefined : variables.filled(body);
  const content = isMultipart ? filled?.replaceAll('\n', '\r\n') : filled;
  return call(variables.filled(path), { method, token: null, headers: sent, body: content });
}

test('docs/requests.http runs from top to bottom', async () => {
  const jobId = newJobId();
  const variables = new Variables(jobId);
  for (const request of file) {
    if (request.path.includes('{{insightId}}')) {
      await variables.learn(
        'insightId',
        async () => (await untilEnded(() => fetchGdd(jobId))).json.insightId as string,
      );
    }
    const reply = await send(request, variables);
    const allowed = request.title.startsWith('Cancel') ? [200, 409] : [200, 201, 202, 204];
    const problem = allowed.includes(reply.status) ? '' : `${request.title}: ${reply.status} ${reply.text}`;
    expect(problem).toBe('');
    const { enrollment_id, id, operationId, value } = (reply.json ?? {}) as Answered;
    await variables.learn('enrollmentId', () => enrollment_id);
    await variables.learn('operationId', () => operationId);
    if (request.path.startsWith('/v1/imports')) await variables.learn('importId', () => id);
    if (request.path.includes('insight-attachments?')) await variables.learn('attachmentId', () => value?.[0]?.id);
  }
});

test('docs/requests.http has every operation', () => {
  const sent = file.map(({ method, path }) => `${method} ${path.replace(/\?.*/, '').replaceAll(/\{\{\w+\}\}/g, '{}')}`);
  // docs/notices.md has those of notices: they want a receiver, and settings of their own.
  for (const { method, path } of functionTable.routes.filter(({ tag }) => tag !== 'Notices')) {
    const pattern = new RegExp(`^${method} /${path.replaceAll('.', '\\.').replaceAll(/\{[^}]+\}/g, '[^/]+')}$`);
    expect(sent.some((request) => pattern.test(request)) ? '' : path).toBe('');
  }
});
