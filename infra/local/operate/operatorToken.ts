import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { tokenForArguments } from '../standIns/identity/tokenCommand.js';
import { OPERATOR_TENANT } from '../standIns/tenants.js';

type Variables = Readonly<Record<string, string | undefined>>;

/** Runs `az` with these arguments. @returns what it printed; undefined when it failed */
export type RunAz = (args: readonly string[]) => string | undefined;

const az: RunAz = (args) => {
  const { status, stdout } = spawnSync('az', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  return status === 0 ? stdout : undefined;
};

/** What `az` is asked to get a token of the operator for the service. @param audience that of the service, with `api://` or without */
export const tokenArguments = (audience: string): readonly string[] => [
  ...['account', 'get-access-token', '--scope', `api://${audience.replace(/^api:\/\//, '')}/Operate`],
  ...['--query', 'accessToken', '--output', 'tsv'],
];

/**
 * The token that opens the operator API of a service: one of the local stand-in for a service on this machine, else that of
 * whoever is signed in with `az`.
 *
 * @throws Error that says what to do
 */
export function operatorToken(url: string, environment: Variables, runAz: RunAz = az): string {
  const { hostname } = new URL(url);
  if (hostname === '127.0.0.1' || hostname === 'localhost') {
    const directory = resolve(environment['LOCAL_DIR'] ?? '.local');
    return tokenForArguments(['--tenant', OPERATOR_TENANT, '--roles', 'Operate'], directory, new Date());
  }
  const audience = environment['TOKEN_AUDIENCE'] ?? '';
  if (audience === '') {
    throw new Error('TOKEN_AUDIENCE is missing: the audience of the service, as its setting JWT_AUDIENCE has it.');
  }
  const token = runAz(tokenArguments(audience))?.trim() ?? '';
  if (token === '') {
    throw new Error('az gives no token: sign in with `az login`, and have the role Operate assigned and active.');
  }
  return token;
}
