// Where the exports lie, as the Bicep CLI itself evaluates the files: what Azure would be sent, without asking Azure.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { azureFolder } from './bicepTree.js';

const restored = fileURLToPath(new URL('../../.bicep/', import.meta.url));
const bicep = (existsSync(restored) ? readdirSync(restored, { recursive: true, encoding: 'utf8' }) : [])
  .filter((path) => /tools[/\\]bicep(\.exe)?$/.test(path))
  .map((path) => join(restored, path))[0];

interface Resource {
  readonly id: string;
  readonly location?: string;
}

/** What one size makes in West Europe; or why it makes nothing. */
function made(size: string, backupLocation: string | undefined): { readonly all: readonly Resource[]; said: string } {
  const folder = mkdtempSync(join(tmpdir(), 'snapshot-'));
  cpSync(azureFolder, folder, { recursive: true });
  const place = ['--subscription-id', '00000000-0000-0000-0000-000000000001', '--resource-group', 'rg-fields'];
  const args = ['snapshot', 'main.bicepparam', '--mode', 'overwrite', ...place, '--location', 'westeurope'];
  const env = {
    ...process.env,
    SIZE: size,
    ...(backupLocation === undefined ? {} : { BACKUP_LOCATION: backupLocation }),
  };
  const { stdout, stderr } = spawnSync(bicep ?? '', args, { cwd: folder, encoding: 'utf8', env });
  const file = join(folder, 'main.snapshot.json');
  const { predictedResources: all } = JSON.parse(
    existsSync(file) ? readFileSync(file, 'utf8') : '{"predictedResources":[]}',
  ) as { readonly predictedResources: readonly Resource[] };
  return { all, said: `${stdout}${stderr}` };
}

const accountIn = (all: readonly Resource[]): string | undefined => {
  const account = all.find(({ id }) => /storageAccounts\/stbak\w+$/.test(id));
  return account && `${/resourceGroups\/([\w-]+)/.exec(account.id)?.[1] ?? ''} in ${account.location ?? ''}`;
};

(bicep === undefined ? describe.skip : describe)(
  `the account of the exports${bicep === undefined ? ' (skipped: there is no Bicep CLI here)' : ''}`,
  () => {
    test('lies in a group and a region of its own, which somebody named', () => {
      expect(accountIn(made('large', 'northeurope').all)).toBe('rg-fields-backup in northeurope');
    });
    test.each([undefined, 'West Europe'])('is refused in %s, before anything is made', (location) => {
      const { all, said } = made('small', location);
      expect(said).toContain('BACKUP_LOCATION must name a region, and another one than that of the service.');
      expect(all).toEqual([]);
    });
  },
);
