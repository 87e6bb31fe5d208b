import { describe, expect, test } from '@jest/globals';
import { parseHostJson, readHostJson } from '../../../infra/local/functionsHost/hostJson.js';

describe('host.json', () => {
  test('an empty file means the platform defaults', () => {
    expect(parseHostJson('{}', {})).toEqual({
      routePrefix: 'api',
      functionTimeoutMs: 30 * 60_000,
      queues: {
        batchSize: 16,
        newBatchThreshold: 8,
        maxDequeueCount: 5,
        visibilityTimeoutMs: 0,
        maxPollingIntervalMs: 60_000,
        messageEncoding: 'base64',
      },
      logLevels: {},
    });
  });

  test('empty queues are asked every two seconds in development', () => {
    const { queues } = parseHostJson('{}', { AZURE_FUNCTIONS_ENVIRONMENT: 'Development' });
    expect(queues.maxPollingIntervalMs).toBe(2_000);
  });

  test('the file is read without regard to the case of its names', () => {
    const text = JSON.stringify({
      functionTimeout: '00:01:00',
      extensions: { Http: { RoutePrefix: '' }, queues: { batchSize: 4, visibilityTimeout: '00:00:30' } },
      logging: { logLevel: { default: 'Warning' } },
    });
    expect(parseHostJson(text, {})).toMatchObject({
      routePrefix: '',
      functionTimeoutMs: 60_000,
      queues: { batchSize: 4, newBatchThreshold: 2, visibilityTimeoutMs: 30_000 },
      logLevels: { default: 'Warning' },
    });
  });

  test('a variable AzureFunctionsJobHost__… stands above the file', () => {
    const text = JSON.stringify({ extensions: { queues: { batchSize: 4 } } });
    const { queues } = parseHostJson(text, { AzureFunctionsJobHost__extensions__queues__batchSize: '1' });
    expect(queues.batchSize).toBe(1);
  });

  test('a function timeout of -1 means none', () => {
    expect(parseHostJson('{"functionTimeout":"-1"}', {}).functionTimeoutMs).toBe(Infinity);
  });

  test.each([
    { why: 'more than storage gives at once', path: 'batchSize', value: 33 },
    { why: 'no time span', path: 'maxPollingInterval', value: '2s' },
    { why: 'no known encoding', path: 'messageEncoding', value: 'hex' },
  ])('$path with $why is refused by name', ({ path, value }) => {
    const text = JSON.stringify({ extensions: { queues: { [path]: value } } });
    expect(() => parseHostJson(text, {})).toThrow(`extensions.queues.${path}`);
  });

  test('a folder without the file has the defaults', () => {
    expect(readHostJson('tests/local/functionsHost/apps/plain', {}).routePrefix).toBe('api');
  });
});
