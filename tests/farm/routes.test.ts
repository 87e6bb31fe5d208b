import { describe, expect, test } from '@jest/globals';
import { functionTable } from '../../functions/functionTable.js';
import { methodsOf } from '../../shared/http/route.js';
import { routerOfHost } from './farmService.js';

const farmRoutes = functionTable.routes.filter(({ tag }) => tag === 'Farm data');
const cases = farmRoutes.flatMap((route) =>
  methodsOf(route).map((method) => ({ method, path: `/${route.path}`, name: route.name })),
);

describe('the host, which tries functions in the order of their names', () => {
  test('has 29 operations on farm data, 26 of them of the wire', () => {
    expect(farmRoutes).toHaveLength(29);
    expect(farmRoutes.filter(({ path }) => !path.startsWith('v1/'))).toHaveLength(26);
  });

  test.each(cases)('gives $method $path to $name', ({ method, path, name }) => {
    expect(routerOfHost(method, path.replaceAll(/\{\w+\}/g, 'x'))?.function.name).toBe(name);
  });

  // The ids of a path may be any word that is a segment of another.
  test.each(['farms', 'fields', 'models', 'insights', 'file', 'create'])(
    'does so whatever the last id is: %s',
    (id) => {
      for (const { method, path, name } of cases) {
        const last = path.lastIndexOf('{');
        if (last === -1 || !path.endsWith('}')) continue;
        const named = `${path.slice(0, last)}${id}`.replaceAll(/\{\w+\}/g, 'x');
        expect([named, routerOfHost(method, named)?.function.name]).toEqual([named, name]);
      }
    },
  );

  test.each([
    ['GET', '/parties/x/unknown', 'zUnmatchedParties'],
    ['PUT', '/parties/x', 'zUnmatchedParties'],
    ['POST', '/farms', 'zUnmatchedFarms'],
    ['DELETE', '/fields', 'zUnmatchedFields'],
    ['GET', '/fields:search', 'zUnmatchedFieldsSearch'],
    ['GET', '/scenes', 'zUnmatchedScenes'],
    ['GET', '/scenes/downloadFiles', 'zUnmatchedScenes'],
    ['GET', '/seasons', 'zzUnmatched'],
  ])('gives %s %s to %s', (method, path, name) => {
    expect(routerOfHost(method, path)?.function.name).toBe(name);
  });
});
