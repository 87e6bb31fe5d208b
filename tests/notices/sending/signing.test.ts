import { describe, expect, test } from '@jest/globals';
import { consentIn } from '../../../shared/notices/webhooks/consentRules.js';
import { errorShown, pauseAfter, schedule, verdictOn } from '../../../shared/notices/webhooks/deliveryRules.js';
import { receiverFault } from '../../../shared/notices/webhooks/receiverRule.js';
import { SecretBox, SecretLost } from '../../../shared/notices/secrets/secretBox.js';
import { signatureOf } from '../../../shared/notices/secrets/signature.js';
import { vectors } from '../log/vectors.js';

const { current, former } = vectors.secrets;

describe('signatures', () => {
  test('are those that the reference libraries make', () => {
    const { id, ts: timestamp, body, secret, sig } = vectors.reference;
    expect(signatureOf({ id, timestamp, body }, [secret])).toBe(sig);
  });
  test.each(vectors.symmetric.filter(({ name }) => name.endsWith('one secret')))('sign $name', (delivery) => {
    expect(signatureOf(delivery, [current])).toBe(delivery.signature);
  });
  test('are two while a secret is rotated, the newest first', () => {
    const rotation = vectors.symmetric.find(({ name }) => name.startsWith('rotation: receiver still has'))!;
    expect(signatureOf(rotation, [current, former])).toBe(rotation.signature);
  });
});

describe('a secret at rest', () => {
  const [first, second] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const box = new SecretBox(new Map([['1', first]]));

  test('opens in its own place alone', () => {
    const sealed = box.seal(current, 't_a|wh_1|k');
    expect(JSON.stringify(sealed)).not.toContain(current.slice(6, 20));
    expect(box.open(sealed, 't_a|wh_1|k')).toBe(current);
    expect(() => box.open(sealed, 't_a|wh_2|k')).toThrow();
    expect(() => box.open({ ...sealed, box: box.seal('other', 'x').box }, 't_a|wh_1|k')).toThrow();
  });
  test('is sealed by the newest key, and opens by an old one as long as that is there', () => {
    const both = new SecretBox(
      new Map([
        ['1', first],
        ['2', second],
      ]),
    );
    expect(both.seal(current, 'p').keyVersion).toBe('2');
    expect(both.open(box.seal(current, 'p'), 'p')).toBe(current);
    const after = new SecretBox(new Map([['2', second]]));
    expect(() => after.open(box.seal(current, 'p'), 'p')).toThrow(SecretLost);
  });
});

describe('the address of a receiver', () => {
  const rule = { ownHost: 'api.partner.example', localHosts: ['127.0.0.1:9443'] };
  test.each([
    'https://example.com/hooks?token=1',
    'https://8.8.8.8/',
    'https://example.com:443/',
    'http://127.0.0.1:9443/x',
  ])('may be %s', (url) => {
    expect(receiverFault(url, rule)).toBeUndefined();
  });
  test.each([
    ['http://example.com/', 'https://'],
    ['https://example.com:8443/', 'port'],
    ['https://u:p@example.com/', 'user or password'],
    ['https://example.com/#x', 'fragment'],
    ['https://localhost/', 'public internet'],
    ['https://printer.local/', 'public internet'],
    ['https://x.internal./', 'public internet'],
    ['https://intranet/', 'public internet'],
    ['https://api.partner.example/v1/webhooks', 'this service'],
    ['https://api.partner.example./', 'this service'],
    ['https://2130706433/', 'public internet'],
    ['https://0x7f.1/', 'public internet'],
    ['https://[::ffff:127.0.0.1]/', 'public internet'],
    ['https://169.254.169.254./', 'public internet'],
    ['https://168.63.129.16/', 'public internet'],
    ['https://ⓛocalhost/', 'public internet'],
    ['http://127.0.0.1:9444/', 'https://'],
    ['not a url', 'absolute'],
    [`https://example.com/${'x'.repeat(2_100)}`, 'at most 2048'],
  ])('may not be %s', (url, text) => {
    expect(receiverFault(url, rule)).toContain(text);
  });
});

describe('the consent of a receiver', () => {
  test.each([
    { what: 'our host', allowedOrigin: 'API.partner.example', consents: true },
    { what: 'anybody', allowedOrigin: '*', consents: true },
    { what: 'somebody else', allowedOrigin: 'other.example', consents: false },
    { what: 'nothing', allowedOrigin: undefined, consents: false },
  ])('names $what: $consents', ({ allowedOrigin, consents }) => {
    expect(consentIn(allowedOrigin === undefined ? {} : { allowedOrigin }, 'api.partner.example').consents).toBe(
      consents,
    );
  });
  test('may say how many requests a minute it takes', () => {
    expect(consentIn({ allowedOrigin: '*', allowedRate: '120' }, 'x').rate).toBe(120);
    expect(consentIn({ allowedOrigin: '*', allowedRate: '*' }, 'x').rate).toBeUndefined();
  });
});

describe('what follows from an answer', () => {
  const now = Date.parse('2026-05-04T06:00:00Z');
  const durationMs = 1;
  test.each([
    { answer: { status: 204 }, verdict: { kind: 'delivered' } },
    { answer: { status: 410 }, verdict: { kind: 'gone' } },
    { answer: { status: 307 }, verdict: { kind: 'failed' } },
    { answer: { status: 500 }, verdict: { kind: 'failed' } },
    { answer: { error: 'timeout' as const }, verdict: { kind: 'failed' } },
    { answer: { status: 429 }, verdict: { kind: 'failed' } },
    { answer: { status: 429, retryAfter: '120' }, verdict: { kind: 'wait', waitMs: 120_000 } },
    { answer: { status: 503, retryAfter: '999999' }, verdict: { kind: 'wait', waitMs: 86_400_000 } },
    {
      answer: { status: 503, retryAfter: 'Mon, 04 May 2026 06:01:00 GMT' },
      verdict: { kind: 'wait', waitMs: 60_000 },
    },
    { answer: { status: 500, retryAfter: '120' }, verdict: { kind: 'failed' } },
  ])('$answer: $verdict', ({ answer, verdict }) => {
    expect(verdictOn({ ...answer, durationMs }, now)).toEqual(verdict);
  });
  test('an address that the guard refuses looks like one that is not there', () => {
    expect(errorShown({ error: 'refused_address' })).toBe(errorShown({ error: 'dns' }));
  });
  test('the tries of an event end after 75.6 hours, ±20 %', () => {
    const pauses = schedule.map((_, tries) => pauseAfter(tries, 0.5) ?? 0);
    expect(pauses.reduce((sum, pauseMs) => sum + pauseMs, 0)).toBe((75 * 3_600 + 35 * 60 + 5) * 1_000);
    expect(pauseAfter(schedule.length, 0.5)).toBeUndefined();
  });
});
