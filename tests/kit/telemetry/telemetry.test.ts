import { describe, expect, test } from '@jest/globals';
import { errorText, fingerprint, jsonLog, redacted } from '../../../shared/kit/telemetry/telemetry.js';

describe('a log line', () => {
  const lineOf = (facts: Record<string, unknown>): Record<string, unknown> => {
    const lines: string[] = [];
    jsonLog((line) => void lines.push(line))('Thing:Done', facts);
    return JSON.parse(lines[0]!) as Record<string, unknown>;
  };

  test('is one JSON object with its event and its facts', () => {
    expect(lineOf({ operation: 'gddCreate', durationMs: 12 })).toEqual({
      event: 'Thing:Done',
      operation: 'gddCreate',
      durationMs: 12,
    });
  });

  test('shows callers as fingerprints', () => {
    const line = lineOf({ tenant: 'tenant-a', customer: 'acme' });
    expect(line).toEqual({ event: 'Thing:Done', tenant: fingerprint('tenant-a'), customer: fingerprint('acme') });
    expect(fingerprint('tenant-a')).toMatch(/^[0-9a-f]{12}$/);
  });
});

describe('a secret never reaches a line', () => {
  const jwt = `${Buffer.from('{"alg":"RS256"}').toString('base64url')}.eyJ0aWQiOiJ4In0.c2lnbmF0dXJl`;
  test.each<[string, unknown]>([
    ['under the name authorization', { authorization: 'canary' }],
    ['under the name Api-Key', { headers: { 'Api-Key': 'canary' } }],
    ['under the name sas_token', { sas_token: 'canary' }],
    ['under the name client_secret', [{ client_secret: 'canary' }]],
    ['a token within a text', `failed for ${jwt} twice`],
    ['the signature of a SAS', 'https://x.blob.core.windows.net/c/b?sv=2025-07-05&sig=canary%2B&se=1'],
    ['a key of ours', 'key pfs_0123456789ab_canarycanarycanarycanary was refused'],
  ])('%s', (_what, value) => {
    const text = JSON.stringify(redacted(value));
    expect(text).toContain('[redacted]');
    expect(text).not.toMatch(/canary|c2lnbmF0dXJl/);
  });

  test('ordinary facts stay as they are', () => {
    const facts = { operation: 'gddFetch', status: 200, jobId: 'spring-corn', message: 'a_b_c' };
    expect(redacted(facts)).toEqual(facts);
  });
});

test('the text of an error names its causes, outermost first', () => {
  const text = errorText(new Error('outer', { cause: new Error('inner') }));
  expect(text).toMatch(/outer[\s\S]*←[\s\S]*inner/);
});
