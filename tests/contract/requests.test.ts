import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { functionTable } from '../../functions/functionTable.js';
import { call, fetchGdd, newJobId, service, untilEnded } from './service.js';

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

const text = readFileSync('docs/requests.http', 'utf8');
const file = requestsOf(text);
/** What the file itself gives its variables. */
const defaults = Object.fromEntries([...text.matchAll(/^@(\w+) = (.*)$/gm)].map(([, name, value]) => [name, value]));

test('docs/requests.http runs from top to bottom and has every operation', async () => {
  const jobId = newJobId();
  const { insightId: _unknownYet, enrollmentId: _unknownToo, ...own } = defaults;
  const values: Record<string, string> = {
    ...own,
    jwt: service.jwt,
    apiKey: service.apiKey,
    partyId: service.partyId,
    farmId: service.farmId,
    fieldId: service.fieldIds[0]!,
    jobId,
  };
  const filled = (text: string): string =>
    text.replaceAll(/\{\{(\w+)\}\}/g, (_all, name: string) => values[name] ?? name);
  for (const { title, method, path, headers, body } of file) {
    if (path.includes('{{insightId}}')) {
      values['insightId'] ??= (await untilEnded(() => fetchGdd(jobId))).json.insightId as string;
    }
    const sent = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), filled(value)]),
    );
    // Editors send the lines of a multipart body as RFC 2046 wants them.
    const isMultipart = sent['content-type']?.startsWith('multipart/') === true;
    const content = body && (isMultipart ? filled(body).replaceAll('\n', '\r\n') : filled(body));
    const reply = await call(filled(path), { method, token: null, headers: sent, body: content });
    values['enrollmentId'] ??= (reply.json as { enrollment_id?: string } | undefined)?.enrollment_id ?? '';
    if (values['enrollmentId'] === '') delete values['enrollmentId'];
    const allowed = title.startsWith('Cancel') ? [200, 409] : [200, 202];
    const problem = allowed.includes(reply.status) ? '' : `${title}: ${reply.status} ${reply.text}`;
    expect(problem).toBe('');
  }
  const used = new Set(
    file.map(({ method, path }) => `${method} ${path.replace(/\?.*/, '').replaceAll(/\{\{(\w+)\}\}/g, '{}')}`),
  );
  for (const { method, path } of functionTable.routes) {
    const pattern = new RegExp(`^${method} /${path.replaceAll(/[.]/g, '\\.').replaceAll(/\{[^}]+\}/g, '[^/]+')}$`);
    expect([...used].some((request) => pattern.test(request)) ? '' : path).toBe('');
  }
});
