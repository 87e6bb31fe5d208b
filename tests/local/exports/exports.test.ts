import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { unzipSync } from 'fflate';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCustomerCommand } from '../../../infra/local/customers/customerCommands.js';
import type { OperatorServices } from '../../../infra/local/customers/operatorServices.js';
import { textFile, type ExportedFile } from '../../../infra/local/exports/exportedFile.js';
import { filesOfCustomer } from '../../../infra/local/exports/filesOfCustomer.js';
import { filesOfTenant } from '../../../infra/local/exports/filesOfTenant.js';
import { webhooksToExport } from '../../../infra/local/exports/webhookFile.js';
import { writeZips } from '../../../infra/local/exports/zipFolder.js';
import { CustomerStore } from '../../../shared/access/customers/customerStore.js';
import { createWebhook } from '../../../shared/notices/managing/manageWebhooks.js';
import { bury } from '../../../shared/storage/fencedBlobs.js';
import { jobOf } from '../../farm/eraseWorld.js';
import { aParty, FarmWorld } from '../../farm/farmWorld.js';
import { TENANT } from '../../farm/landInMemory.js';
import { ManualClock } from '../../support/manualClock.js';
import { MemoryBlobs } from '../../support/memoryBlobs.js';
import { MemoryRows } from '../../support/memoryRows.js';
import { WebhookWorld } from '../../notices/sending/webhookWorld.js';

let scratch: string;
beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'exports-'));
});
afterEach(() => {
  rmSync(scratch, { recursive: true, force: true });
});
const target = () => ({ folder: join(scratch, 'out'), name: 'contoso' });

/** The texts of the files in archives, by path. */
const textsIn = (archives: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    archives.flatMap((archive) =>
      Object.entries(unzipSync(readFileSync(archive))).map(([path, bytes]) => [path, Buffer.from(bytes).toString()]),
    ),
  );
const linesIn = (text = ''): unknown[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as unknown);

describe('everything of a customer', () => {
  const tables = { enrollments: new MemoryRows(), fields: new MemoryRows(), fieldDates: new MemoryRows() };
  const [inputs, images, customers] = [new MemoryBlobs(), new MemoryBlobs(), new CustomerStore(new MemoryRows())];
  const hooks = new WebhookWorld();
  const webhooks = webhooksToExport((name) => (name === 'webhooks' ? hooks.webhookRows : hooks.noticeRows));
  const ports = { customers, rows: (name: keyof typeof tables) => tables[name], webhooks, inputs, images };
  const services = {
    customers,
    clock: new ManualClock(),
    exportCustomer: async (customer: string, folder: string) => {
      const files = await filesOfCustomer(ports, customer);
      return files && writeZips(files, { folder, name: customer });
    },
  } as unknown as OperatorServices;
  const run = (...argv: readonly string[]) => runCustomerCommand(argv, () => services);
  const write = (blobs: MemoryBlobs, name: string, text: string) =>
    blobs.write(name, Buffer.from(text), { type: 'text/plain' });

  beforeEach(async () => {
    const createdAt = Date.parse('2026-06-01T00:00:00Z');
    await customers.insert({ customer: 'contoso', fieldLimit: 250, createdAt });
    await customers.insertKey({ keyId: 'k1', customer: 'contoso', digest: 'DIGEST', pepper: '1', createdAt });
    for (let field = 0; field < 1_001; field += 1) await tables.fields.put('contoso', `f-${field}`, { areaHa: field });
    await tables.enrollments.put('contoso', 'e1', { status: 'completed' });
    await tables.enrollments.put('fabrikam', 'e2', { status: 'completed' });
    await write(inputs, 'contoso/geometries/aa.json', '{}');
    await write(inputs, 'contoso-two/geometries/bb.json', '{}');
    await write(images, 'contoso/field-imagery/sentinel-2/north/index.json', '{"links":[]}');
  });

  test('is rows and files of it, and nothing of another customer', async () => {
    const folder = join(scratch, 'contoso');
    const written = (await run('export', 'contoso', '-o', folder)) as { readonly archives: readonly string[] };
    expect(written).toMatchObject({ customer: 'contoso', archives: [join(folder, 'contoso-1.zip')], files: 8 });
    const texts = textsIn(written.archives);
    expect(Object.keys(texts).sort()).toEqual([
      'README.txt',
      'customer.json',
      'enrollments.ndjson',
      'field-dates.ndjson',
      'fields.ndjson',
      'images/sentinel-2/north/index.json',
      'inputs/geometries/aa.json',
      'webhooks.json',
    ]);
    expect(linesIn(texts['enrollments.ndjson'])).toEqual([{ rowKey: 'e1', status: 'completed' }]);
    // More than one page of rows.
    expect(linesIn(texts['fields.ndjson'])).toHaveLength(1_001);
    expect(statSync(written.archives[0]!).mode & 0o077).toBe(0);
  });

  test('has its webhooks as the API shows them, without secrets and what a query may give access to', async () => {
    const url = 'https://farm.example/hooks?code=token';
    const { webhook, secret } = await createWebhook(hooks.ports)('c_contoso', { url }, undefined);
    await createWebhook(hooks.ports)('t_contoso', { url }, undefined);
    const { archives } = (await run('export', 'contoso', '-o', join(scratch, 'out'))) as { archives: string[] };
    const texts = textsIn(archives);
    expect(JSON.parse(texts['webhooks.json']!)).toMatchObject([
      { id: webhook.id, url: 'https://farm.example/hooks?…', status: 'pending' },
    ]);
    expect(JSON.stringify(texts)).not.toMatch(/code=token|sealed|whsec/);
    expect(JSON.stringify(texts)).not.toContain(secret.slice('whsec_'.length));
  });

  test('has no digest of a key', async () => {
    const { archives } = (await run('export', 'contoso', '-o', join(scratch, 'out'))) as { archives: string[] };
    const texts = textsIn(archives);
    expect(texts['customer.json']).toContain('"keyId": "k1"');
    expect(JSON.stringify(texts)).not.toContain('DIGEST');
  });

  test('is refused for a customer that is none, and into a folder that holds something', async () => {
    await expect(run('export', 'nobody', '-o', join(scratch, 'out'))).rejects.toThrow('There is no customer nobody.');
    writeFileSync(join(scratch, 'mine.txt'), '');
    await expect(run('export', 'contoso', '-o', scratch)).rejects.toThrow(/is not empty; name another one\.$/);
  });
});

describe('everything of a tenant', () => {
  test('is its registration, jobs, insights, and each party as the API answers it', async () => {
    const world = new FarmWorld();
    const process = world.process();
    await aParty(process, { farms: 1, fieldsOfFarm: 1, withInsights: true });
    const job = await jobOf(world, process, { jobId: 'spring-corn', partyId: 'party' });
    await bury(world.insightBlobs, `${TENANT}/gone/record.json`, 5);
    const ports = {
      tenants: { list: () => Promise.resolve([{ tid: TENANT, settings: '{}' }]) },
      jobs: process.jobs,
      webhooks: webhooksToExport(() => new MemoryRows()),
      results: world.insightBlobs,
      land: process.land,
      insights: process.insights,
    };
    const { archives } = await writeZips(filesOfTenant(ports, TENANT), target());
    const texts = textsIn(archives);
    expect(JSON.parse(texts['tenant.json']!)).toEqual({ tid: TENANT, settings: '{}' });
    expect(linesIn(texts['jobs.ndjson'])).toEqual([job]);
    expect(JSON.parse(texts['webhooks.json']!)).toEqual([]);
    const paths = Object.keys(texts);
    expect(paths.filter((path) => path.startsWith('insights/'))).toHaveLength(1);
    const kept = linesIn(texts['parties/party/resources.ndjson']) as readonly { path: string; file?: string }[];
    expect(kept.map(({ path }) => path.split('/').at(-1))).toEqual(['party', 'farm-0', 'field-0-0', 'insight', 'file']);
    expect(texts[`parties/party/${kept.at(-1)?.file ?? ''}`]).toBe('file of field-0-0');
  });
});

describe('archives', () => {
  const files = async function* (count: number): AsyncGenerator<ExportedFile> {
    for (let number = 0; number < count; number += 1) {
      yield await Promise.resolve(textFile(`${number}.txt`, `text ${number}`));
    }
  };
  test('are as many as their size allows, each file whole in one of them', async () => {
    const limits = { files: 2, bytes: 1_000 };
    const { archives, ...counts } = await writeZips(files(5), target(), limits);
    expect(archives.map((archive) => Object.keys(unzipSync(readFileSync(archive))).length)).toEqual([2, 2, 1]);
    expect(counts).toEqual({ files: 5, bytes: 30 });
    expect(textsIn(archives)['4.txt']).toBe('text 4');
  });
  test('begin anew behind a file that fills one, and are none without files', async () => {
    const { archives } = await writeZips(files(3), target(), { files: 100, bytes: 5 });
    expect(archives).toHaveLength(3);
    expect(await writeZips(files(0), { folder: join(scratch, 'none'), name: 'x' })).toMatchObject({ archives: [] });
  });
});
