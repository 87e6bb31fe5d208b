import { bearerToken, type Exchange, isJsonObject, jsonReply, type Reply } from './http/exchange.js';
import { FaultScript } from './http/faultScript.js';
import { startServer } from './http/server.js';
import { propertiesOf, type Secret, type SecretVersion, versionId, versionsOf } from './keyVault/secrets.js';

export interface KeyVaultOptions {
  /** By name; a name holds letters, digits and hyphens. */
  readonly secrets: Readonly<Record<string, Secret>>;
  /** PEM texts of a certificate for 127.0.0.1: the client refuses a vault without HTTPS. */
  readonly tls: { readonly key: string; readonly cert: string };
  readonly port?: number;
  /** Address of the Entra tenant that the vault belongs to, where its tokens come from. */
  readonly authority?: string;
  /** Judges bearer tokens; left out, any is good. */
  readonly tokenIsValid?: (token: string) => boolean;
}

export interface KeyVault {
  readonly url: string;
  readonly script: FaultScript;
  /** Replaces a secret, or takes it away when undefined. */
  setSecret(name: string, secret: Secret | undefined): void;
  /** The value of a version that is enabled, for whoever reads the vault with an identity of its own. */
  valueOf(name: string, version: string): string | undefined;
  close(): Promise<void>;
}

const PAGE_SIZE = 25;
/** A vault names its own Entra tenant, never `common`. */
const challengeOf = (authority: string): string =>
  `Bearer authorization="${authority}", resource="https://vault.azure.net"`;
const SOME_TENANT = 'https://login.microsoftonline.com/00000000-0000-4000-8000-000000000000';

/**
 * Stands in for a key vault: newest and named version of a secret, the list of its versions in pages of 25; a secret is
 * rotated by setting it, which adds a version, and disabling the version before. A reset brings the first secrets back.
 *
 * @see https://learn.microsoft.com/rest/api/keyvault/secrets
 */
export async function startKeyVault({
  secrets,
  tls,
  port,
  authority = SOME_TENANT,
  tokenIsValid = () => true,
}: KeyVaultOptions): Promise<KeyVault> {
  const held = new Map(Object.entries(secrets));
  const script = new FaultScript(() => {
    held.clear();
    for (const [name, secret] of Object.entries(secrets)) held.set(name, secret);
  });
  const answer = (exchange: Exchange): Reply => {
    const token = bearerToken(exchange);
    if (token === undefined || !tokenIsValid(token)) {
      return errorReply(401, 'Unauthorized', 'AKV10000: Request is missing a Bearer token.', {
        'www-authenticate': challengeOf(authority),
      });
    }
    if (!exchange.url.searchParams.has('api-version'))
      return errorReply(400, 'BadParameter', 'api-version is missing.');
    return secretReply(exchange, held);
  };
  const server = await startServer({ answer, script, port, tls });
  return {
    ...server,
    script,
    setSecret: (name, secret) => {
      if (secret === undefined) held.delete(name);
      else held.set(name, secret);
    },
    valueOf: (name, version) =>
      versionsOf(held.get(name) ?? []).find(({ isEnabled = true }, at) => isEnabled && versionId(name, at) === version)
        ?.value,
  };
}

function secretReply({ method, url, body }: Exchange, held: Map<string, Secret>): Reply {
  const [, name, selector = ''] = /^\/secrets\/([0-9a-zA-Z-]{1,127})(?:\/([0-9a-z]*))?$/.exec(url.pathname) ?? [];
  if (name === undefined) return errorReply(400, 'BadParameter', 'The stand-in holds secrets only.');
  const versions = versionsOf(held.get(name) ?? []);
  if (method !== 'GET') {
    const written = writtenVersions({ method, selector, sent: sentIn(body) }, name, versions);
    if (written === undefined) return errorReply(400, 'BadParameter', `${method} does not change ${url.pathname} so.`);
    held.set(name, written.versions);
    return jsonReply(200, propertiesOf(url.origin, name, { ...written.versions[written.index], index: written.index }));
  }
  if (versions.length === 0) return notFound(name);
  if (selector === 'versions') return versionsReply(url, name, versions);
  const index = selector === '' ? versions.length - 1 : versions.findIndex((_, at) => versionId(name, at) === selector);
  return versionReply(url.origin, name, { index, version: versions[index] });
}

interface Sent {
  readonly value?: unknown;
  readonly attributes?: { readonly enabled?: unknown };
}

function sentIn(body: Buffer): Sent {
  try {
    const sent: unknown = JSON.parse(body.toString('utf8'));
    return isJsonObject(sent) ? sent : {};
  } catch {
    return {};
  }
}

interface SecretWrite {
  readonly method: string;
  readonly selector: string;
  readonly sent: Sent;
}

/** All versions after a write and the number of the one written; undefined for what a vault doesn't take. */
function writtenVersions(
  { method, selector, sent }: SecretWrite,
  name: string,
  versions: readonly SecretVersion[],
): { readonly versions: readonly SecretVersion[]; readonly index: number } | undefined {
  if (method === 'PUT' && selector === '' && typeof sent.value === 'string')
    return { versions: [...versions, { value: sent.value }], index: versions.length };
  const index = versions.findIndex((_, at) => versionId(name, at) === selector);
  const isEnabled = sent.attributes?.enabled;
  if (method !== 'PATCH' || index < 0 || typeof isEnabled !== 'boolean') return undefined;
  return { versions: versions.map((version, at) => (at === index ? { ...version, isEnabled } : version)), index };
}

interface ChosenVersion {
  readonly index: number;
  readonly version: SecretVersion | undefined;
}

function versionReply(origin: string, name: string, { index, version }: ChosenVersion): Reply {
  if (version === undefined) return notFound(name);
  if (version.isEnabled === false) {
    return errorReply(403, 'Forbidden', 'Operation get is not allowed on a disabled secret.');
  }
  return jsonReply(200, { value: version.value, ...propertiesOf(origin, name, { ...version, index }) });
}

function versionsReply(url: URL, name: string, versions: readonly SecretVersion[]): Reply {
  const start = Number(url.searchParams.get('$skiptoken') ?? 0);
  const value = versions.map((version, index) => propertiesOf(url.origin, name, { ...version, index }));
  const next = new URL(url);
  next.searchParams.set('$skiptoken', String(start + PAGE_SIZE));
  const nextLink = start + PAGE_SIZE < versions.length ? next.href : null;
  return jsonReply(200, { value: value.slice(start, start + PAGE_SIZE), nextLink });
}

function notFound(name: string): Reply {
  return errorReply(404, 'SecretNotFound', `A secret with (name/id) ${name} was not found in this key vault.`);
}

function errorReply(status: number, code: string, message: string, headers?: Readonly<Record<string, string>>): Reply {
  return jsonReply(status, { error: { code, message } }, headers);
}
