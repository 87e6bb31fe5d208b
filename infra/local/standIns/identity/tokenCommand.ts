import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DEFAULT_TENANT } from '../tenants.js';
import { callerToken, DEFAULT_ROLES } from './callerTokens.js';
import { SigningKeys } from './signingKeys.js';

const USAGE =
  'Usage: npm run --silent token -- [--tenant <name or uuid>] [--expires <number>s|m|h|d] [--roles <name>,…|none]';
const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400 } as const;
const LONGEST_SECONDS = 365 * SECONDS.d;

/**
 * The token that `npm run token` prints; no service need run.
 *
 * @param localDirectory LOCAL_DIR; its signing key is made when missing
 * @throws RangeError with a text for the user when an argument is wrong
 */
export function tokenForArguments(args: readonly string[], localDirectory: string, now: Date): string {
  const { tenant, expires, roles: text } = readArguments(args);
  const request = { tenant, expiresInSeconds: lifetimeSeconds(expires), roles: rolesIn(text) };
  return callerToken(new SigningKeys(join(localDirectory, 'identity')).current(), now, request);
}

interface Arguments {
  readonly tenant: string;
  readonly expires: string;
  readonly roles: string;
}

function readArguments(args: readonly string[]): Arguments {
  try {
    const options = {
      tenant: { type: 'string', default: DEFAULT_TENANT },
      expires: { type: 'string', default: '1h' },
      roles: { type: 'string', default: DEFAULT_ROLES.join(',') },
    } as const;
    return parseArgs({ args: [...args], options, strict: true }).values;
  } catch (cause) {
    throw new RangeError(`${cause instanceof Error ? cause.message : String(cause)}\n${USAGE}`, { cause });
  }
}

/** @param text names separated by commas, or `none`; names that mean nothing to the service are made too, for tests */
function rolesIn(text: string): readonly string[] {
  if (text === 'none') return [];
  const roles = text.split(',');
  if (roles.every((role) => /^[A-Za-z0-9._-]{1,120}$/.test(role))) return roles;
  throw new RangeError(
    `--roles ${text} names no roles: give Jobs.ReadWrite, Jobs.Read, Farm.ReadWrite, Farm.Read, Operate, Release or none.\n${USAGE}`,
  );
}

/** @param text a whole number and a unit, such as `90s`, `15m`, `1h` or `2d`; at most 365 days */
function lifetimeSeconds(text: string): number {
  const [, count, unit] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  const seconds = Number(count) * SECONDS[(unit ?? 's') as keyof typeof SECONDS];
  if (!(seconds >= 1 && seconds <= LONGEST_SECONDS)) {
    throw new RangeError(`--expires ${text} is no lifetime: give 1s to 365d, such as 90s, 15m, 1h or 2d.\n${USAGE}`);
  }
  return seconds;
}
