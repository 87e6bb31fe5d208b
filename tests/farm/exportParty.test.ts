import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runFarmCommand } from '../../infra/local/farm/farmCommands.js';
import type { FarmOperator } from '../../infra/local/farm/farmOperator.js';
import { randomId } from '../../shared/kit/ids.js';
import { addTenant, switchTenant } from '../../shared/access/tenants/manageTenants.js';
import { TenantStore } from '../../shared/access/tenants/tenantStore.js';
import { NOTHING_ERASED, succeededErasure, workOfErasure } from '../../shared/farm/erase/erasure.js';
import { settle } from '../support/manualClock.js';
import { MemoryRows } from '../support/memoryRows.js';
import type { LandKind } from '../../shared/farm/land/land.js';
import { aParty, anInsight, FarmWorld, keyIn, type Process } from './farmWorld.js';
import { TENANT } from './landInMemory.js';

const square = { type: 'Polygon', coordinates: [[[10, 50], [10.01, 50], [10.01, 50.01], [10, 50]]] }; // prettier-ignore

const kinds: Readonly<Record<string, LandKind>> = { parties: 'party', farms: 'farm', fields: 'field' };

let world: FarmWorld;
let process: Process;
let tenants: TenantStore;
let folder: string;
let said: string[];
beforeEach(async () => {
  world = new FarmWorld();
  process = world.process();
  tenants = new TenantStore(new MemoryRows(), randomId);
  folder = mkdtempSync(join(tmpdir(), 'export-'));
  said = [];
  await aParty(process, { farms: 1, fieldsOfFarm: 1 });
  await process.put(keyIn('field', 'field-0-0'), { geometry: square, properties: { crop: 'corn' } });
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const operator = (): FarmOperator => ({ ...process, tenants, say: (line) => void said.push(line) });
const run = (...argv: readonly string[]): Promise<unknown> => runFarmCommand(argv, operator);
const linesIn = (): { path: string; resource: Record<string, unknown>; file?: string }[] =>
  readFileSync(join(folder, 'resources.ndjson'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { path: string; resource: Record<string, unknown>; file?: string });

describe('npm run farm', () => {
  test.each(['*', '', 'a|b', '..'])('refuses the party "%s": no spelling of it means everything', async (partyId) => {
    for (const name of ['export', 'erase']) {
      await expect(run(name, TENANT, partyId, '--yes')).rejects.toThrow('is no id of a party');
    }
  });
});

describe('npm run farm -- export', () => {
  test('writes everything of a party as callers see it, parents before children', async () => {
    const owner = '/parties/party/models/gdd/resource-types/Field/resources/field-0-0';
    await expect(run('export', TENANT, 'party', '-o', folder)).resolves.toEqual({
      ...{ folder, resources: 5, attachments: 1 },
    });
    const lines = linesIn();
    expect(lines.map(({ path }) => path)).toEqual([
      ...['/parties/party', '/parties/party/farms/farm-0', '/parties/party/fields/field-0-0'],
      ...[`${owner}/insights/insight`, `${owner}/insight-attachments/file`],
    ]);
    expect(lines[2]?.resource).toMatchObject({ farmId: 'farm-0', geometry: square, properties: { crop: 'corn' } });
    expect(lines[3]?.resource).toMatchObject({ measurements: { gdd: { unit: '°C·day', value: 5 } } });
    const file = lines[4]?.file ?? '';
    expect(file).toMatch(/^attachments\/[0-9a-f]{32}\.csv$/);
    expect(readFileSync(join(folder, file), 'utf8')).toBe('file of field-0-0');
  });

  test('of what was exported puts every resource back as it was', async () => {
    await run('export', TENANT, 'party', '-o', folder);
    const other = new FarmWorld().process();
    for (const { path, resource } of linesIn().slice(0, 3)) {
      const [, , partyId = '', kind = 'parties', id = partyId] = path.split('/');
      const key = keyIn(kinds[kind]!, id, partyId);
      await other.put(key, resource);
      const [before, after] = [(await process.land.find(key))?.land, (await other.land.find(key))?.land];
      const { createdAt, createdBy, modifiedAt, modifiedBy, eTag } = before!;
      expect({ ...after, createdAt, createdBy, modifiedAt, modifiedBy, eTag }).toEqual(before);
    }
  });

  test('goes on through more pages than one', async () => {
    for (let index = 0; index < 120; index += 1) {
      await process.put(keyIn('field', `many-${index}`));
      await anInsight(process, 'Field', `many-${index}`);
    }
    await expect(run('export', TENANT, 'party', '-o', folder)).resolves.toMatchObject({ attachments: 121 });
    expect(readdirSync(join(folder, 'attachments'))).toHaveLength(121);
    expect(new Set(linesIn().map(({ path }) => path)).size).toBe(2 + 121 * 3);
  });

  test('refuses a party that is not there, and a folder that is not empty', async () => {
    await expect(run('export', TENANT, 'other', '-o', folder)).rejects.toThrow('has no party other');
    await expect(run('export', TENANT, 'party', '-o', folder)).rejects.toThrow('is not empty');
    await expect(run('export', 'tenant', 'party')).rejects.toThrow('no tenant id');
    await expect(run('export', TENANT)).rejects.toThrow('npm run farm -- export');
    expect(existsSync('party-other')).toBe(false);
  });
});

describe('npm run farm -- erase', () => {
  test('asks for consent, has the service erase, and tells what it has deleted', async () => {
    await expect(run('erase', TENANT, 'party')).resolves.toMatchObject({ wouldErase: 'the party party' });
    expect(await world.openWork()).toEqual([]);
    const key = workOfErasure({ tenant: TENANT, partyId: 'party' });
    const erasing = run('erase', TENANT, 'party', '--yes');
    await settle();
    const stored = (await process.erasures.find(key))!;
    const counts = { ...NOTHING_ERASED, fields: 1 };
    await process.erasures.update(key, stored, succeededErasure(stored.value, counts, world.now()));
    await world.clock.advance(2_000);
    await expect(erasing).resolves.toEqual({ erased: counts });
    expect(said.join(' ')).toContain('goes on without this command');
  });

  test('of a tenant is refused while it is enabled', async () => {
    const ports = { tenants, hasJobs: no, hasFarmData: no, clock: world.clock, by: 'ada' };
    await addTenant(ports)(TENANT, {});
    await expect(run('erase', TENANT, '--yes')).rejects.toThrow('enabled; disable it first');
    await switchTenant(ports, 'disable')(TENANT);
    world.clock.jump(2 * 60_000);
    await expect(run('erase', TENANT)).resolves.toMatchObject({ wouldErase: 'everything of the tenant' });
  });
});

const no = (): Promise<boolean> => Promise.resolve(false);
