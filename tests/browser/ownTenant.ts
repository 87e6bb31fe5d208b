import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { dirname } from 'node:path';
import { call, service, tokenOf } from '../contract/service.js';
import { settings } from '../contract/storage.js';
import { eventually } from './consolePage.js';

const VERSION = 'api-version=2023-11-01-preview';

/** Registers a tenant: nothing of it is there yet. @returns its token */
export async function newOwnTenant(): Promise<string> {
  const tid = randomUUID();
  const env = {
    ...process.env,
    ...settings,
    NODE_EXTRA_CA_CERTS: service.caFile,
    LOCAL_DIR: dirname(process.env['SERVICE_FILE'] ?? ''),
  };
  const added = spawnSync(process.execPath, ['build/local/tenants.mjs', 'add', tid, 'imagery=public'], {
    env,
    encoding: 'utf8',
  });
  if (added.status !== 0) throw new Error(`The tenant was not added: ${added.stderr}`);
  const token = tokenOf(tid);
  // What is known of the register may be some seconds old.
  await eventually(async () => {
    const { status, text } = await call(`/parties?${VERSION}`, { token });
    if (status !== 200) throw new Error(`The tenant is not served yet: ${text}`);
  });
  return token;
}

/** Names of the fields of a party. */
export async function fieldNamesOf(partyId: string, token: string): Promise<readonly string[]> {
  const reply = await call(`/parties/${partyId}/fields?${VERSION}`, { token });
  return (reply.json as { readonly value: readonly { readonly name: string }[] }).value.map(({ name }) => name);
}
