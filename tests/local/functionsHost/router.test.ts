import { describe, expect, test } from '@jest/globals';
import { createRouter as routerOf } from '../../../infra/local/functionsHost/router.js';

const httpFunction = (name: string, route: string | undefined, methods?: readonly string[]) => ({
  name,
  trigger: { type: 'httpTrigger', direction: 'in' as const, route, methods },
});

const createRouter = (prefix: string, functions: readonly ReturnType<typeof httpFunction>[]) =>
  routerOf(prefix, functions, (name, why) => {
    throw new Error(`${name}: ${why}`);
  });

describe('the router', () => {
  test('tries functions in the order of their names, not of precision', () => {
    const route = createRouter('', [httpFunction('bLiteral', 'items/new'), httpFunction('aAny', 'items/{id}')]);
    expect(route('GET', '/items/new')).toMatchObject({ function: { name: 'aAny' }, params: { id: 'new' } });
  });

  test('compares names as upper case, by code unit', () => {
    const route = createRouter('', [httpFunction('a_second', 'x'), httpFunction('aFirst', '{any}')]);
    expect(route('GET', '/x')?.function.name).toBe('aFirst');
  });

  test('goes on to the next template when the method does not fit', () => {
    const functions = [httpFunction('a', 'x', ['POST']), httpFunction('b', 'x', ['GET'])];
    expect(createRouter('', functions)('GET', '/x')?.function.name).toBe('b');
  });

  test('finds nothing for a wrong method: a 404, never a 405', () => {
    expect(createRouter('', [httpFunction('a', 'x', ['POST'])])('GET', '/x')).toBeUndefined();
  });

  test('takes every method when none is listed', () => {
    expect(createRouter('', [httpFunction('a', 'x', [])])('DELETE', '/x')).toBeDefined();
  });

  test('puts the prefix first and takes the name for a missing route', () => {
    const route = createRouter('api', [httpFunction('hello', undefined)]);
    expect([route('GET', '/api/hello'), route('GET', '/hello')].map(Boolean)).toEqual([true, false]);
  });

  test.each(['admin/x', 'Runtime', 'administer'])('refuses the route %s, which the host keeps for itself', (path) => {
    expect(() => createRouter('', [httpFunction('a', path)])).toThrow('keeps for itself');
  });

  test.each([
    { why: 'the same route and a common method', first: ['GET', 'POST'], second: ['POST'], route: 'x', inError: ['b'] },
    { why: 'a route in other letters, with a slash', first: ['POST'], second: ['POST'], route: '/X/', inError: ['b'] },
    { why: 'no methods listed, which is all', first: ['GET'], second: [], route: 'x', inError: ['b'] },
    { why: 'no common method', first: ['GET'], second: ['POST'], route: 'x', inError: [] },
    { why: 'another route for the same paths', first: ['POST'], second: ['POST'], route: '{*x}', inError: [] },
  ])('does not serve the later of two functions with $why', ({ first, second, route, inError }) => {
    const refused: string[] = [];
    const functions = [httpFunction('b', route, second), httpFunction('a', 'x', first)];
    const find = routerOf('', functions, (name) => refused.push(name));
    expect(refused).toEqual(inError);
    expect(find(first[0] ?? '', '/x')?.function.name).toBe('a');
  });
});
