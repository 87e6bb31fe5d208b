import { afterAll, describe, expect, test } from '@jest/globals';
import { functionTable } from '../../functions/functionTable.js';
import { methodsOf } from '../../shared/http/route.js';
import { call, newJobId } from '../contract/service.js';
import { credentialOf, sampleOf } from './operations.js';
import { closeConnections, sendRaw, type RawReply } from './rawRequest.js';

afterAll(closeConnections);

/** Statuses that the host itself answers, without a word of ours. */
const isEmpty = ({ status, text }: RawReply): boolean => text === '' && status >= 400;

describe('methods that an operation does not have (API9)', () => {
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
  const paths = [...new Set(functionTable.routes.map(({ path }) => path))];

  test.each(paths.map((path) => [path]))('are refused at /%s with those it has', async (path) => {
    const routes = functionTable.routes.filter((route) => route.path === path);
    // A path that is written out is also one of a parameter in its place.
    const patternOf = (each: string): RegExp => new RegExp(`^${each.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`);
    const alike = functionTable.routes.filter((route) => patternOf(route.path).test(path));
    const allowed = alike.flatMap(methodsOf);
    for (const method of methods.filter((name) => !allowed.includes(name))) {
      const [route] = routes;
      const headers = credentialOf(route!);
      const reply = await sendRaw({ method, path: sampleOf(route!).path, headers });
      expect([method, reply.status]).toEqual([method, 405]);
      expect(reply.headers['allow']?.toString().split(', ').sort()).toEqual(
        [...new Set([...allowed, 'OPTIONS'])].sort(),
      );
    }
  });

  test.each(['TRACE', 'PROPFIND', 'SEARCH', 'LOCK'])('%s reaches no function', async (method) => {
    const reply = await sendRaw({ method, path: '/health', headers: { 'x-canary': 'echo-me' } });
    expect([404, 405]).toContain(reply.status);
    expect(reply.text).not.toContain('echo-me');
  });

  test.each(['x-http-method-override', 'x-http-method', 'x-method-override', '_method'])(
    '%s overrides no method',
    async (name) => {
      const reply = await sendRaw({ method: 'GET', path: '/health', headers: { [name]: 'DELETE' } });
      expect(reply.status).toBe(200);
    },
  );
});

describe('versions that do not exist (API9)', () => {
  /**
   * Operations on jobs name the version in the body; those on farm data in the query, those on webhooks and those of
   * operators in the path.
   */
  const elsewhere = ['Farm data', 'Notices', 'Operations'];
  const routes = functionTable.routes.filter(({ body, tag }) => body !== undefined && !elsewhere.includes(tag));

  test.each(routes.map((route) => [route.path, route] as const))(
    '/%s answers 400 that names v1',
    async (_path, route) => {
      const sample = JSON.parse(String(sampleOf(route, { jobId: newJobId() }).body)) as { requestPath: string };
      for (const version of ['v2', 'v0', 'V1', 'v1.0', '']) {
        const requestPath = sample.requestPath.replace('v1', version);
        const reply = await call(`/${route.path}`, { method: 'POST', body: { ...sample, requestPath } });
        expect([version, reply.status]).toEqual([version, 400]);
        expect(reply.text).toContain('v1 is the only version');
      }
    },
  );

  const farmRoutes = functionTable.routes.filter(({ checkQuery }) => checkQuery !== undefined);

  test.each(farmRoutes.map((route) => [`${route.method} /${route.path}`, route] as const))(
    '%s answers 400 that names those there are',
    async (_title, route) => {
      const { headers, path, ...sample } = sampleOf(route);
      for (const version of ['2021-07-31-preview', '2023-11-01', 'v1', '']) {
        const asked = path.replace(/api-version=[^&]*/, `api-version=${version}`);
        const reply = await sendRaw({ ...sample, path: asked, headers: { ...headers, ...credentialOf(route) } });
        expect([version, reply.status]).toEqual([version, 400]);
        expect(reply.text).toContain('2023-11-01-preview, ');
      }
    },
  );

  test.each(['/v2/enrollments', '/v0/auth/sas-token', '/enrollments', '/v2/insights/x', '/api/v1/enrollments'])(
    '%s is 404',
    async (path) => {
      expect((await call(path, { documented: false })).status).toBe(404);
    },
  );
});

describe('what a platform or a careless deployment might leave open (API8)', () => {
  test.each([
    '/admin/host/status',
    '/admin/functions',
    '/runtime/webhooks/durabletask',
    '/.env',
    '/.git/config',
    '/local.settings.json',
    '/host.json',
    '/package.json',
    '/main.mjs.map',
    '/docs/..%2f..%2fpackage.json',
    '/docs/%2e%2e/local.settings.json',
    '/metrics',
    '/debug',
    '/actuator/env',
    '/swagger.json',
    '/.control/faults',
  ])('%s is not there', async (path) => {
    const reply = await sendRaw({ method: 'GET', path });
    expect(reply.status).toBe(404);
    expect(reply.text).not.toMatch(/"dependencies"|\[core\]|"version"|DATA_STORAGE/);
  });

  test('a foreign web page is told nothing that lets it read answers', async () => {
    const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };
    for (const method of ['OPTIONS', 'GET']) {
      const reply = await sendRaw({ method, path: '/v1/enrollments', headers });
      expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
  });

  test.each([
    ['an answer', '/health'],
    ['an unknown path', '/nothing'],
    ['a refusal', '/v1/enrollments'],
  ])('%s carries the headers that browsers obey, and no name of our software', async (_what, path) => {
    const { headers } = await sendRaw({ method: 'GET', path });
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'strict-transport-security': expect.stringContaining('max-age='),
    });
    expect(headers).not.toHaveProperty('x-powered-by');
  });
});

describe('requests that a web server may stumble over', () => {
  test.each<[string, Parameters<typeof sendRaw>[0], readonly number[]]>([
    ['a header of 40 KB', { method: 'GET', path: '/health', headers: { 'x-long': 'a'.repeat(40_000) } }, [431]],
    ['500 headers', { method: 'GET', path: '/health', headers: manyHeaders(500) }, [200, 431]],
    ['a path of 20 KB', { method: 'GET', path: `/v1/enrollments/${'a'.repeat(20_000)}` }, [414]],
    ['a query of 20 KB', { method: 'GET', path: `/health?${'a'.repeat(20_000)}` }, [414]],
    ['a zero byte in the path', { method: 'GET', path: '/v1/insights/%00' }, [400]],
    ['broken percent signs', { method: 'GET', path: '/v1/insights/%zz%f' }, [401]],
    ['bytes that are no UTF-8', { method: 'GET', path: '/v1/insights/%c0%ae%c0%ae' }, [401]],
    ['dots that climb out', { method: 'GET', path: '/../../../../etc/passwd' }, [404]],
    ['an absolute address of elsewhere', { method: 'GET', path: 'http://evil.example/health' }, [200]],
    ['a host of elsewhere', { method: 'GET', path: '/openapi.json', headers: { host: 'evil.example' } }, [200]],
  ])('%s', async (_what, request, statuses) => {
    const reply = await sendRaw(request);
    expect(statuses).toContain(reply.status);
    expect(isEmpty(reply) || !reply.text.includes('evil.example')).toBe(true);
  });
});

function manyHeaders(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`x-${index}`, 'y']));
}
