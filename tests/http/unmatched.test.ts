import { HttpRequest } from '@azure/functions';
import { describe, expect, test } from '@jest/globals';
import { handleRequest } from '../../shared/http/handleRequest.js';
import { UNMATCHED_METHODS } from '../../shared/http/unmatched.js';
import type { Services } from '../../shared/wiring/services.js';
import { parseRequestTarget } from '../../infra/local/functionsHost/requestTarget.js';
import { routerOfHost } from '../farm/farmService.js';

const services = { config: { CONSOLE: true } } as unknown as Services;

/** What the host and the functions behind it answer to a path that no operation takes; undefined when one does. */
async function unmatchedAnswer(method: string, target: string) {
  const location = parseRequestTarget(method, target);
  const found = typeof location === 'number' ? undefined : routerOfHost(method, location.path);
  if (found?.function.name.startsWith('z') !== true) return undefined;
  const url = `http://host${target}`;
  const params = { ...Object.fromEntries(new URL(url).searchParams), ...found.params };
  const request = new HttpRequest({ method, url, params });
  const { status, headers } = await handleRequest(found.function.route, request, { services, write: () => undefined });
  return { name: found.function.name, status, allow: (headers as Record<string, string>)['allow'] };
}

describe('a path that no function takes with a method', () => {
  test.each([
    ['GET', '/console//console/x.js', 404],
    ['DELETE', '/console//console/x.js', 404],
    ['OPTIONS', '/console//', 404],
    ['GET', '/health//', 404],
    ['GET', '/v1//enrollments', 404],
    ['POST', '/v1/enrollments//', 404],
    ['GET', '/parties//x', 404],
    ['GET', '/?path=health', 302],
    ['GET', '/?PATH=x&path=health', 302],
    ['POST', '/?path=health', 404],
    ['PUT', '/health/', 405],
    ['PUT', '/HEALTH', 405],
    ['POST', '/console/index.html', 405],
    ['POST', '/docs/../health', 405],
    ['GET', '/fields:search', 405],
    ['PUT', '/fields%3Asearch/', 405],
  ])('%s %s is answered %i', async (method, target, status) => {
    expect((await unmatchedAnswer(method, target))?.status).toBe(status);
  });

  test('is never told to use the method that was used', async () => {
    const paths = [
      '/console',
      '/health',
      '/v1/enrollments',
      '/v1/enrollments/x',
      '/fields:search',
      '/parties/x/farms/y',
    ];
    const spellings = paths.flatMap((path) => [
      ...[path, `${path}/`, `${path}//`, `${path}/.`, `${path}/..`, `${path}%2F`, `${path}%2f/x`, `${path}//x`],
      ...[`/${path}`, `/x/..${path}`, `/.${path}`, path.toUpperCase(), path.replace(/(.)[/]/, '$1//')],
      ...[path.replace(/(.)[/]/, '$1%2F'), `/?path=${path.slice(1)}`, `/nowhere?path=${path.slice(1)}`],
    ]);
    const contradicted: string[] = [];
    for (const target of spellings) {
      for (const method of UNMATCHED_METHODS) {
        const { status, allow = '' } = (await unmatchedAnswer(method, target)) ?? {};
        if (status === 405 && allow.split(', ').includes(method)) contradicted.push(`${method} ${target}: ${allow}`);
      }
    }
    expect(contradicted).toEqual([]);
  });

  test('of the search is answered in the form of farm data', async () => {
    expect(await unmatchedAnswer('GET', '/fields:search')).toEqual({
      name: 'zUnmatchedFieldsSearch',
      status: 405,
      allow: 'POST, OPTIONS',
    });
  });
});
