import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Reply } from '../../../infra/local/standIns/http/exchange.js';
import { CodeFlow, CONSOLE_APP } from '../../../infra/local/standIns/identity/codeFlow.js';
import { CALLER_AUDIENCE } from '../../../infra/local/standIns/identity/callerTokens.js';
import { verifiedClaims } from '../../../infra/local/standIns/identity/jwt.js';
import { SigningKeys } from '../../../infra/local/standIns/identity/signingKeys.js';
import { tenantId } from '../../../infra/local/standIns/tenants.js';

const NOON = new Date('2026-05-01T12:00:00Z');
const PAGE = 'http://127.0.0.1:7071';
const VERIFIER = 'v'.repeat(43);
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');

let directory: string;
let keys: SigningKeys;
let flow: CodeFlow;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'code-flow-'));
  keys = new SigningKeys(directory);
});
beforeEach(() => {
  flow = new CodeFlow();
});
afterAll(() => {
  rmSync(directory, { recursive: true });
});

function authorize(changes: Readonly<Record<string, string>> = {}): Reply | undefined {
  const asked = {
    client_id: CONSOLE_APP,
    response_type: 'code',
    redirect_uri: `${PAGE}/console/`,
    scope: `openid profile offline_access ${CALLER_AUDIENCE}/.default`,
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    state: 'a-state',
    nonce: 'a-nonce',
    ...changes,
  };
  const url = new URL(`https://login.example/demo/oauth2/v2.0/authorize?${new URLSearchParams(asked).toString()}`);
  return flow.reply({ method: 'GET', url, headers: {}, body: Buffer.alloc(0) }, { keys, now: NOON });
}

function redeem(form: Readonly<Record<string, string>>, { origin = PAGE, now = NOON } = {}) {
  const sent = { client_id: CONSOLE_APP, redirect_uri: `${PAGE}/console/`, grant_type: 'authorization_code', ...form };
  const url = new URL('https://login.example/demo/oauth2/v2.0/token');
  const body = Buffer.from(new URLSearchParams(sent).toString());
  const reply = flow.reply({ method: 'POST', url, headers: { origin }, body }, { keys, now });
  const json = JSON.parse(String(reply?.body)) as Record<string, string> & { readonly error_codes: number[] };
  return { status: reply?.status, headers: reply?.headers, json };
}

const answerOf = (reply: Reply | undefined): URLSearchParams =>
  new URLSearchParams(new URL(reply?.headers?.['location'] ?? '').hash.slice(1));
const codeOf = (): string => answerOf(authorize()).get('code') ?? '';

describe('authorization code with PKCE', () => {
  test('sends back to the page with a code and its state, and gives a person’s token for it', () => {
    const answer = answerOf(authorize());
    expect(answer.get('state')).toBe('a-state');
    const { status, headers, json } = redeem({ code: answer.get('code') ?? '', code_verifier: VERIFIER });
    expect([status, headers?.['access-control-allow-origin']]).toEqual([200, PAGE]);
    const claims = verifiedClaims(json['access_token'] ?? '', keys.ofWorkTenants());
    expect(claims).toMatchObject({ aud: CALLER_AUDIENCE, scp: 'Jobs.ReadWrite Farm.ReadWrite', tid: tenantId('demo') });
    expect(claims).not.toHaveProperty('roles');
    expect(verifiedClaims(json['id_token'] ?? '', keys.ofWorkTenants())).toMatchObject({ nonce: 'a-nonce' });
  });

  test('takes a code once, for ten minutes, from the address and with the verifier it was asked with', () => {
    const code = codeOf();
    expect(redeem({ code, code_verifier: 'other' }).json.error_codes).toEqual([501481]);
    expect(
      redeem({ code, code_verifier: VERIFIER, redirect_uri: 'http://localhost/console/' }).json.error_codes,
    ).toEqual([500112]);
    expect(redeem({ code, code_verifier: VERIFIER }).status).toBe(200);
    const late = new Date(NOON.getTime() + 601_000);
    for (const stale of [redeem({ code, code_verifier: VERIFIER }), redeem({ code: codeOf() }, { now: late })]) {
      expect(stale.json).toMatchObject({ error: 'invalid_grant', error_codes: [54005] });
      expect(stale.json['error_description']).toMatch(/^AADSTS54005: /);
    }
  });

  test('renews by a refresh token, which gives its place to the next', () => {
    const first = redeem({ code: codeOf(), code_verifier: VERIFIER }).json['refresh_token'] ?? '';
    const renew = (token: string) => redeem({ grant_type: 'refresh_token', refresh_token: token });
    const next = renew(first).json['refresh_token'] ?? '';
    expect(renew(first).json.error_codes).toEqual([700082]);
    expect(renew(next).status).toBe(200);
  });

  test.each(['http://evil.example', 'https://127.0.0.1:7071', ''])('lets no page of %s read a token', (origin) => {
    const { status, headers, json } = redeem({ code: codeOf(), code_verifier: VERIFIER }, { origin });
    expect([status, json.error_codes]).toEqual([400, [9002326]]);
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  });

  test('sends nobody to an address that is not registered, and tells the page of every other fault', () => {
    expect(authorize({ redirect_uri: 'http://evil.example/console/' })).toMatchObject({ status: 400 });
    expect(authorize({ client_id: 'another' })).toMatchObject({ status: 400 });
    for (const [change, error] of [
      [{ response_type: 'token' }, 'unsupported_response_type'],
      [{ code_challenge_method: 'plain' }, 'invalid_request'],
      [{ scope: 'openid' }, 'invalid_scope'],
    ] as const) {
      expect(answerOf(authorize(change)).get('error')).toBe(error);
    }
  });

  test('leaves other ways to a token alone', () => {
    const url = new URL('https://login.example/demo/oauth2/v2.0/token');
    const body = Buffer.from('grant_type=client_credentials');
    expect(flow.reply({ method: 'POST', url, headers: {}, body }, { keys, now: NOON })).toBeUndefined();
  });
});
