import { describe, expect, test } from '@jest/globals';
import { compileRoute } from '../../../infra/local/functionsHost/routeTemplate.js';

describe('a route template', () => {
  test.each([
    { why: 'a literal', template: 'health', path: '/health', params: {} },
    { why: 'literals compare without case', template: 'Health', path: '/hEALTH', params: {} },
    { why: 'a slash at the end', template: 'health', path: '/health/', params: {} },
    { why: 'a literal colon', template: 'partner.gdd:create', path: '/partner.gdd:create', params: {} },
    { why: 'a dot is a dot', template: 'a.b', path: '/axb', params: undefined },
    { why: 'a parameter', template: 'v1/items/{id}', path: '/v1/items/7', params: { id: '7' } },
    { why: 'a value keeps its case', template: 'items/{id}', path: '/ITEMS/aB', params: { id: 'aB' } },
    { why: 'an empty segment is no value', template: 'items/{id}', path: '/items/', params: undefined },
    { why: 'two slashes', template: 'x', path: '//x', params: undefined },
    { why: 'a parameter beside text', template: '{id}:create', path: '/7:create', params: { id: '7' } },
    { why: 'greedy to the last colon', template: '{id}:create', path: '/a:create:create', params: { id: 'a:create' } },
    { why: 'an absent optional', template: 'items/{id?}', path: '/items', params: {} },
    { why: 'a present optional', template: 'items/{id?}', path: '/items/7', params: { id: '7' } },
    { why: 'a default', template: 'items/{id=1}', path: '/items', params: { id: '1' } },
    { why: 'a catch-all with slashes', template: 'files/{*rest}', path: '/files/a/b', params: { rest: 'a/b' } },
    { why: 'a catch-all with an empty segment', template: '{*rest}', path: '/a//b', params: { rest: 'a//b' } },
    { why: 'a catch-all after an empty segment', template: 'a/{*rest}', path: '/a//b', params: undefined },
    { why: 'a catch-all of an empty segment', template: '{*rest}', path: '//a', params: undefined },
    { why: 'an empty catch-all', template: '{*rest}', path: '/', params: {} },
    { why: 'a whole number', template: '{id:int}', path: '/12', params: { id: '12' } },
    { why: 'not a whole number', template: '{id:int}', path: '/1x', params: undefined },
    { why: 'above 32 bits', template: '{id:int}', path: '/2147483648', params: undefined },
    { why: 'above 32 bits as long', template: '{id:long}', path: '/2147483648', params: { id: '2147483648' } },
    { why: 'letters alone', template: '{name:alpha}', path: '/ab1', params: undefined },
    { why: 'a truth value', template: '{flag:bool}', path: '/TRUE', params: { flag: 'TRUE' } },
    { why: 'a guid', template: '{id:guid}', path: '/6d1f0c9a-3b7e-4a52-8f14-c0e5d2a7b911', params: expect.anything() },
    { why: 'an expression with braces', template: '{id:regex(^\\d{{2}}$)}', path: '/123', params: undefined },
    { why: 'an expression that fits', template: '{id:regex(^\\d{{2}}$)}', path: '/12', params: { id: '12' } },
    { why: 'two constraints', template: '{id:int:required}', path: '/12', params: { id: '12' } },
    { why: 'doubled braces', template: '{{x}}', path: '/{x}', params: {} },
    { why: 'an encoded slash is no slash', template: 'items/{id}', path: '/items/a%2Fb', params: { id: 'a%2Fb' } },
  ])('$why: "$template" and $path', ({ template, path, params }) => {
    expect(compileRoute(template)(path)).toEqual(params);
  });

  test.each([
    { why: 'an open brace', template: 'items/{id' },
    { why: 'a parameter without a name', template: 'items/{}' },
    { why: 'an unknown constraint', template: 'items/{id:prime}' },
  ])('with $why is refused', ({ template }) => {
    expect(() => compileRoute(template)).toThrow();
  });
});
