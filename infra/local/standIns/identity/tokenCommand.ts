import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DEFAULT_TENANT } from '../tenants.js';
import { callerToken } from './callerTokens.js';
import { SigningKeys } from './signingKeys.js';

const USAGE = 'Usage: npm run --silent token -- [--tenant <name or uuid>] [--expires <number>s|m|h|d]';
const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400 } as const;
const LONGEST_SECONDS = 365 * SECONDS.d;

/**
 * The token that `npm run token` prints; no service need run.
 *
 * @param localDirectory LOCAL_DIR; its signing key is made when missing
 * @throws RangeError with a text for the user when an argument is wrong
 */
export function tokenForArguments(args: readonly string[], localDirectory: string, now: Date): string {
  const { tenant, expires } = readArguments(args);
  const expiresInSeconds = lifetimeSeconds(expires);
  return callerToken(new SigningKeys(join(localDirectory, 'identity')).current(), now, { tenant, expiresInSeconds });
}

function readArguments(args: readonly string[]): { readonly tenant: string; readonly expires: string } {
  try {
    const options = {
      tenant: { type: 'string', default: DEFAULT_TENANT },
      expires: { type: 'string', default: '1h' },
    } as const;
    return parseArgs({ args: [...args], options, strict: true }).values;
  } catch (cause) {
    throw new RangeError(`${cause instanceof Error ? cause.message : String(cause)}\n${USAGE}`, { cause });
  }
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
