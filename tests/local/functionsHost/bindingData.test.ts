import { describe, expect, test } from '@jest/globals';
import { bindingDataOf } from '../../../infra/local/functionsHost/bindingData.js';

const given = { query: '', routeParams: {}, headers: { authorization: 'real' }, body: undefined };
const body = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

describe('the trigger metadata of a request', () => {
  test('holds the real headers and the query beside the route values', () => {
    expect(bindingDataOf({ ...given, query: '?a=1', routeParams: { id: '7' } })).toEqual({
      a: { string: '1' },
      id: { string: '7' },
      Query: { json: '{"a":"1"}' },
      Headers: { json: '{"authorization":"real"}' },
    });
  });

  test.each([
    { why: 'a query key', request: { query: '?Headers={"authorization":"forged"}' } },
    { why: 'a body property', request: { body: body({ Headers: { authorization: 'forged' } }) } },
  ])('lets $why replace every header', ({ request }) => {
    const { Headers } = bindingDataOf({ ...given, ...request });
    expect(JSON.parse(Headers?.string ?? Headers?.json ?? '')).toEqual({ authorization: 'forged' });
  });

  test.each([{ query: '?headers=x' }, { body: body({ HEADERS: 1 }) }])(
    'has no headers at all when their name is used in another case: %j',
    (request) => {
      expect(bindingDataOf({ ...given, ...request })['Headers']).toBeUndefined();
    },
  );

  test('lets a route value win, under the spelling the query gave its name', () => {
    const data = bindingDataOf({ ...given, query: '?ENROLLMENTID=z', routeParams: { enrollmentId: '7' } });
    expect(data).toMatchObject({ ENROLLMENTID: { string: '7' } });
    expect(data).not.toHaveProperty('enrollmentId');
  });

  test('writes scalars of the body as .NET does and leaves out nulls and arrays', () => {
    const data = bindingDataOf({ ...given, body: body({ n: 1.5, yes: true, no: null, list: [1], deep: { a: 1 } }) });
    expect(data).toMatchObject({ n: { string: '1.5' }, yes: { string: 'True' }, deep: { json: '{"a":1}' } });
    expect(data).not.toHaveProperty('no');
    expect(data).not.toHaveProperty('list');
  });

  test.each(['not json', '[{"a":1}]', '{"a":'])('takes nothing from the body %s', (text) => {
    expect(Object.keys(bindingDataOf({ ...given, body: Buffer.from(text) }))).toEqual(['Query', 'Headers']);
  });

  test('joins repeated query keys and leaves out the function key', () => {
    expect(bindingDataOf({ ...given, query: '?a=1&A=2&code=secret' })).toMatchObject({ a: { string: '1,2' } });
    expect(bindingDataOf({ ...given, query: '?code=secret' })).not.toHaveProperty('code');
  });
});
