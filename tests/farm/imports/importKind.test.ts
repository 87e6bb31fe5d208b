import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { farmFaults } from '../../../shared/kit/errors/farmFaults.js';
import { ServiceError } from '../../../shared/kit/errors/serviceError.js';
import { importedId } from '../../../shared/farm/imports/fieldIds.js';
import { IMPORT, KML_TYPE, KMZ_TYPE, workOfImport } from '../../../shared/farm/imports/importJob.js';
import { prepareFeatures } from '../../../shared/farm/imports/importTasks.js';
import { writtenPart } from '../../../shared/farm/wire/landView.js';
import { unpacked } from '../../../shared/farm/land/packedShape.js';
import { partyKeyOf, type Land } from '../../../shared/farm/land/land.js';
import type { LandScope } from '../../../shared/farm/land/landPlace.js';
import { heldLaneOf } from '../../../shared/work/lanes/lane.js';
import { isDeepStrictEqual } from 'node:util';
import type { MultiPolygon, Polygon } from '../../../shared/geo/shapes/geoJson.js';
import { writingOf } from '../../geo/writings.js';
import { stride, tries } from '../../support/fullRun.js';
import { aParty, FarmWorld, keyIn, LEASE_MS } from '../farmWorld.js';
import { kmlText, placemark, polygonElement } from '../kml.js';
import { answered, OTHER_TENANT, TENANT } from '../landInMemory.js';
import { Mortal } from '../mortal.js';
import { zipped, zippedSquares } from '../shapefiles.js';
import { collectionOf, featureAt, geometryAt, importProcess, someFeatures, type ImportProcess } from './importWorld.js';

const party = partyKeyOf(TENANT, 'party');

async function aWorld(own: Parameters<typeof importProcess>[2] = {}) {
  const world = new FarmWorld();
  const process = importProcess(world, undefined, own);
  await process.put(party);
  await process.put(keyIn('farm', 'home'));
  /** Imports a file to its end, by a process of its own. */
  const imported = async (...given: Parameters<ImportProcess['import']>) => {
    const another = importProcess(world, undefined, own);
    const { id } = await another.import(...given);
    await world.work(another);
    return another.look(String(id));
  };
  return { world, process, imported };
}

/** Everything of a kind, by row key. */
async function landOf({ land }: ImportProcess, scope: LandScope): Promise<readonly Land[]> {
  const rows = await land.page(scope, { after: undefined, most: 1_000 });
  const found = rows.map(({ item: { partyId, id } }) => land.findWhole({ ...scope, partyId, id }));
  return (await Promise.all(found)).flatMap((stored) => stored?.land ?? []);
}

/** What callers have written of every field, by row key. */
async function fieldsOf(process: ImportProcess) {
  const fields = await landOf(process, { kind: 'field', tenant: TENANT, partyId: 'party' });
  const written = fields.map(async ({ packed, ...item }) => {
    const geometry = packed && (await unpacked(packed));
    return { id: item.id, ...writtenPart(item), ...(geometry && { geometry }) };
  });
  return Promise.all(written);
}

describe('an import', () => {
  test('writes every feature, says how many, and leaves nothing of the file', async () => {
    const { world, process, imported } = await aWorld();
    const asked = await process.import(someFeatures(230));
    expect(asked).toMatchObject({ status: 'Waiting', total: 0, written: 0, failed: 0, errors: [] });
    // By its party an erasure finds it.
    const shown = world
      .rows('work')
      .all<{ readonly value?: string }>()
      .find(({ rowKey }) => rowKey.startsWith('FARM|import|'));
    expect(JSON.parse(shown?.value ?? '')).toMatchObject({ partyId: 'party' });
    expect((await world.blobs.list('')).map(({ name }) => name)).toEqual([
      expect.stringMatching(new RegExp(`^${TENANT}/\\$imports/${String(asked['id'])}/[0-9a-f]{64}$`)),
    ]);
    await world.work(process);
    const done = await process.look(String(asked['id']));
    expect(done).toMatchObject({ status: 'Succeeded', total: 230, written: 230, failed: 0, errors: [] });
    expect(await fieldsOf(process)).toHaveLength(230);
    expect(await world.blobs.list('')).toEqual([]);
    const { land } = (await process.land.findWhole(keyIn('field', importedId('party', 'f-7').id)))!;
    expect(await answered(land)).toMatchObject({
      name: 'Field 7',
      properties: { sourceId: 'f-7' },
      geometry: geometryAt(7),
      createdBy: 'importer',
    });
    expect(await imported(zippedSquares(120), { type: 'application/zip', idProperty: 'ID' })).toMatchObject({
      status: 'Succeeded',
      total: 120,
      written: 120,
    });
  });

  test('keeps every digit of an id, also where two differ in the last one alone', async () => {
    const { process, imported } = await aWorld();
    const fileOf = (index: number, members: string): string =>
      collectionOf([featureAt(index, {})]).replace('"properties":{}', members);
    await imported(fileOf(1, '"id":2305843009223239036,"properties":{"name":12345678901234567891}'));
    await imported(fileOf(2, '"id":2305843009223239037,"properties":{"count":-2305843009223239037,"ha":12.5}'));
    await imported(fileOf(3, '"properties":{"OBJECT": 2305843009223239038.0}'), { idProperty: 'OBJECT' });
    const idOf = (sourceId: string): string => importedId('party', sourceId).id;
    const fields = new Map((await fieldsOf(process)).map((field) => [field.id, field]));
    expect([...fields.keys()].sort()).toEqual(
      ['2305843009223239036', '2305843009223239037', '2305843009223239038'].map(idOf).sort(),
    );
    expect(fields.get(idOf('2305843009223239036'))).toMatchObject({ name: '12345678901234567891' });
    expect(fields.get(idOf('2305843009223239037'))).toMatchObject({
      properties: { count: '-2305843009223239037', ha: 12.5, sourceId: '2305843009223239037' },
    });
  });

  describe('of fields that the file does not name', () => {
    const unnamed = (geometries: readonly unknown[], properties: object = {}): string =>
      collectionOf(geometries.map((geometry) => ({ type: 'Feature', properties, geometry })));
    const landAt = (index: number): MultiPolygon =>
      ({ type: 'MultiPolygon', coordinates: [geometryAt(index).coordinates] }) as unknown as MultiPolygon;
    const inWriting = (index: number): Polygon | MultiPolygon =>
      fc.sample(writingOf(landAt(index)), { numRuns: 1, seed: 7 + index })[0]!;

    test('finds them again in every writing, and leaves them as they were', async () => {
      const { process, imported } = await aWorld();
      const geometries = Array.from({ length: 120 }, (_, index) => geometryAt(index));
      await imported(unnamed(geometries, { crop: 'corn' }));
      const before = await fieldsOf(process);
      const eTag = (await process.land.find(keyIn('field', before[0]!.id)))?.land.eTag;
      const again = await imported(unnamed(geometries.map((_, index) => inWriting(119 - index))));
      expect(again).toMatchObject({ status: 'Succeeded', written: 120, failed: 0 });
      expect(await fieldsOf(process)).toEqual(before);
      expect((await process.land.find(keyIn('field', before[0]!.id)))?.land.eTag).toBe(eTag);
      await imported(unnamed([inWriting(3)], { crop: 'rye' }), { mode: 'replace' });
      const rye = (await fieldsOf(process)).filter((field) =>
        isDeepStrictEqual(field, { id: field.id, geometry: geometryAt(3), properties: { crop: 'rye' } }),
      );
      expect(rye).toHaveLength(1);
      expect(await fieldsOf(process)).toHaveLength(120);
    });

    test('finds those that were named or drawn, but none that is being deleted', async () => {
      const { process, imported } = await aWorld();
      await imported(collectionOf([featureAt(1)]));
      await process.put(keyIn('field', 'drawn'), { name: 'Drawn', geometry: geometryAt(2) });
      await process.put(keyIn('field', 'going'), { geometry: geometryAt(3) });
      const going = (await process.land.find(keyIn('field', 'going')))!;
      await process.land.mark(keyIn('field', 'going'), going.etag);
      await imported(unnamed([inWriting(1), inWriting(2), inWriting(3)], { crop: 'corn' }));
      const fields = await fieldsOf(process);
      expect(fields).toHaveLength(4);
      expect(fields).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ name: 'Field 1', properties: { sourceId: 'f-1', crop: 'corn' } }),
          expect.objectContaining({ id: 'drawn', name: 'Drawn', properties: { crop: 'corn' } }),
        ]),
      );
    });

    test('writes the first of two writings in one file, near each other or far apart', async () => {
      const { process, imported } = await aWorld();
      const geometries = Array.from({ length: 150 }, (_, index) => geometryAt(index));
      const done = await imported(unnamed([...geometries, inWriting(149), inWriting(2)]));
      expect(done).toMatchObject({ written: 150, failed: 2 });
      expect(done['errors']).toMatchObject([{ message: expect.stringContaining('twice') }, { index: 151 }]);
      expect(await fieldsOf(process)).toHaveLength(150);
    });

    test('takes land of which a corner lies elsewhere for another field', async () => {
      const { process, imported } = await aWorld();
      const [ring] = geometryAt(0).coordinates;
      const moved = {
        type: 'Polygon',
        coordinates: [ring!.map(([x, y], at) => (at === 2 ? [x! + 1e-6, y!] : [x!, y!]))],
      };
      await imported(unnamed([geometryAt(0), moved]));
      expect(await fieldsOf(process)).toHaveLength(2);
    });
  });

  describe('of KML', () => {
    const id = '<ExtendedData><Data name="no"><value>a-1</value></Data></ExtendedData>';
    const text = kmlText(
      placemark(id + squareOfKml(0)) +
        placemark('<Point><coordinates>9,55</coordinates></Point>', 'Gate') +
        placemark(squareOfKml(1) + squareOfKml(2), 'Both') +
        placemark(polygonElement('9;55'), 'South'),
    );
    test.each([
      { why: 'alone', type: KML_TYPE, file: text } as const,
      {
        why: 'in a KMZ file with its pictures',
        type: KMZ_TYPE,
        file: zipped({ 'doc.kml': text, 'files/a.png': 'x' }),
      } as const,
      { why: 'in any zip file', type: 'application/zip', file: zipped({ 'farm/fields.kml': text }) } as const,
    ])('writes its placemarks, $why, and says why it could not', async ({ type, file }) => {
      const { process, imported } = await aWorld();
      const done = await imported(file, { type, idProperty: 'no', farmId: 'home' });
      expect(done).toMatchObject({
        ...{ status: 'Succeeded', total: 4, written: 2, failed: 2 },
        errors: [
          { index: 1, code: 'InvalidRequest', message: expect.stringContaining('has no polygon') as unknown },
          { index: 3, code: 'InvalidRequest', message: expect.stringContaining('South has "9;55"') as unknown },
        ],
      });
      const fields = await fieldsOf(process);
      expect(fields).toHaveLength(2);
      expect(fields).toContainEqual({
        ...{ id: importedId('party', 'a-1').id, name: 'North', farmId: 'home', properties: { sourceId: 'a-1' } },
        geometry: geometryAt(0),
      });
      expect(fields).toContainEqual(
        expect.objectContaining({
          name: 'Both',
          geometry: expect.objectContaining({ type: 'MultiPolygon' }) as unknown,
        }),
      );
    });

    test('that is cut off fails before anything is written', async () => {
      const { process, imported } = await aWorld();
      expect(await imported(text.slice(0, -50), { type: KML_TYPE })).toMatchObject({
        ...{ status: 'Failed', written: 0 },
        message: 'The file is no sound KML: it is cut off within <outerBoundaryIs>. Save it anew.',
      });
      expect(await fieldsOf(process)).toEqual([]);
    });
  });

  test('shows how far it has come while it runs', async () => {
    const seen: object[] = [];
    const { world, process } = await aWorld();
    const asked = await process.import(someFeatures(250));
    const write = process.land.writeMany.bind(process.land);
    process.land.writeMany = async (...given) => {
      seen.push(await process.look(String(asked['id'])));
      return write(...given);
    };
    await world.work(process);
    expect(seen).toMatchObject([
      { status: 'Running', written: 0 },
      { status: 'Running', total: 250, written: 100 },
      { status: 'Running', total: 250, written: 200 },
    ]);
  });

  test('keeps a pace of 500 features a second', async () => {
    const { world, process } = await aWorld();
    await process.import(someFeatures(300));
    const before = world.now();
    await world.work(process);
    expect(world.now() - before).toBeGreaterThanOrEqual(600);
  });

  test('keeps no pace where nothing is written: what is faulty costs no row', async () => {
    const { world, process } = await aWorld();
    const { id } = await process.import(collectionOf(Array.from({ length: 5_000 }, () => 0)));
    const before = world.now();
    await world.work(process);
    expect(world.now()).toBe(before);
    expect(await process.look(String(id))).toMatchObject({
      status: 'Succeeded',
      total: 5_000,
      written: 0,
      failed: 5_000,
    });
  });

  test('hands on no feature of more than 16 MB, says which one it was, and writes the others', async () => {
    const handed: number[] = [];
    const { imported } = await aWorld({
      prepareFeatures: (input) => {
        const pieces = input.raw.form === 'features' ? input.raw.pieces : [];
        handed.push(...pieces.map(({ length }) => length));
        return Promise.resolve(prepareFeatures(input));
      },
    });
    const notes = Array.from({ length: 290 }, () => 'x'.repeat(60_000));
    const done = await imported(collectionOf([featureAt(0), { ...featureAt(1), notes }, featureAt(2)]));
    expect(done).toMatchObject({
      status: 'Succeeded',
      written: 2,
      errors: [{ index: 1, message: expect.stringMatching(/^The feature has 16.6 MB; at most 16 MB are taken/) }],
    });
    expect(Math.max(...handed)).toBeLessThan(1_000);
  });

  test('stops within a hundred features where its tenant is held, and goes on behind them when it is released', async () => {
    const { world, process } = await aWorld();
    let isReleased = false;
    // An operator holds the tenant when two hundred are written.
    const isHeld = async (): Promise<boolean> => !isReleased && (await fieldsOf(process)).length >= 200;
    process.kernel.isHeld = isHeld;
    process.kernel.slotsOf = (lane) => (lane === heldLaneOf(TENANT) && !isReleased ? 0 : 1);
    const { id } = await process.import(someFeatures(450));
    const kind = process.kinds.get(IMPORT)!;
    for (let minute = 0; minute < 30; minute += 1) {
      for (let next = process.kernel.takeNext(); next !== undefined; next = process.kernel.takeNext()) {
        await process.kernel.handle(next, kind);
      }
      await world.clock.advance(60_000);
      await process.kernel.sweep();
    }
    expect(await fieldsOf(process)).toHaveLength(200);
    // Deletions wait for no import that is held.
    await process.startCascade('job', keyIn('farm', 'home'));
    for (let minute = 0; minute < 20; minute += 1) {
      for (let next = process.kernel.takeNext(); next !== undefined; next = process.kernel.takeNext()) {
        await process.kernel.handle(next, process.kinds.get(next.kind)!);
      }
      await world.clock.advance(60_000);
      await process.kernel.sweep();
    }
    expect((await process.getCascade(keyIn('farm', ''), 'job')).status).toBe('Succeeded');
    isReleased = true;
    await process.kernel.lanes.fill(heldLaneOf(TENANT));
    await world.work(process);
    expect(await process.look(String(id))).toMatchObject({ status: 'Succeeded', written: 450, failed: 0 });
  });

  test('of a feature that fails goes on with the others', async () => {
    const { process, imported } = await aWorld();
    const features = [
      featureAt(0),
      { type: 'Feature', geometry: null },
      featureAt(2, { field_id: 'x', name: 'n'.repeat(101) }),
      featureAt(3),
    ];
    expect(await imported(collectionOf(features))).toMatchObject({
      status: 'Succeeded',
      total: 4,
      written: 2,
      failed: 2,
      errors: [
        { index: 1, code: 'InvalidRequest', message: 'The feature has no geometry.' },
        {
          index: 2,
          id: importedId('party', 'x').id,
          code: 'InvalidRequest',
          message: 'name must be a text of 0 to 100 characters.',
        },
      ],
    });
    expect(await fieldsOf(process)).toHaveLength(2);
  });

  test('keeps the first thousand errors', async () => {
    const { imported } = await aWorld();
    const done = await imported(collectionOf(Array.from({ length: 1_200 }, () => ({ type: 'Feature' }))));
    expect(done).toMatchObject({ failed: 1_200, written: 0, total: 1_200 });
    expect(done['errors']).toHaveLength(1_000);
  });

  test('writes the first of two features of one id, near each other or far apart', async () => {
    const { process, imported } = await aWorld();
    const features = Array.from({ length: 150 }, (_, index) => featureAt(index));
    const twice = [
      ...features,
      featureAt(200, { field_id: 'f-3', name: 'late' }),
      featureAt(201, { field_id: 'f-149', name: 'late' }),
    ];
    const done = await imported(collectionOf([...twice, featureAt(202, { field_id: 'f-149', name: 'late' })]));
    expect(done).toMatchObject({ written: 150, failed: 3 });
    expect((done['errors'] as { message: string }[])[0]?.message).toContain('twice; only the first is written');
    expect((await fieldsOf(process)).filter((field) => (field as { name?: string }).name === 'late')).toEqual([]);
  });

  test('merges into what is there, or replaces it', async () => {
    const { process, imported } = await aWorld();
    const { id } = importedId('party', 'f-1');
    await process.put(keyIn('field', id), {
      description: 'wet',
      farmId: 'home',
      properties: { soil: 'clay', sourceId: 'f-1' },
    });
    const file = collectionOf([featureAt(1, { field_id: 'f-1', name: 'Hill', crop: 'corn' })]);
    await imported(file);
    expect(await fieldsOf(process)).toEqual([
      {
        id,
        name: 'Hill',
        description: 'wet',
        farmId: 'home',
        geometry: geometryAt(1),
        properties: { soil: 'clay', sourceId: 'f-1', crop: 'corn' },
      },
    ]);
    await imported(file, { mode: 'replace' });
    expect(await fieldsOf(process)).toEqual([
      { id, name: 'Hill', geometry: geometryAt(1), properties: { sourceId: 'f-1', crop: 'corn' } },
    ]);
  });

  test('of a file that was imported before changes nothing', async () => {
    const { world, imported } = await aWorld();
    await imported(someFeatures(120));
    const before = world.rows('farmFields').all();
    expect(await imported(someFeatures(120))).toMatchObject({ written: 120, failed: 0 });
    expect(world.rows('farmFields').all()).toEqual(before);
  });

  test('twice is the same as once, whatever is in the file', async () => {
    const feature = fc.record({
      type: fc.constantFrom('Feature', 'Feature', 'Feature', 'Other'),
      id: fc.option(fc.constantFrom('a', 'b', 3), { nil: undefined }),
      geometry: fc.option(fc.integer({ min: 0, max: 5 }).map(geometryAt)),
      properties: fc.dictionary(
        fc.constantFrom('field_id', 'name', 'crop', 'x'),
        fc.oneof(fc.string(), fc.integer(), fc.constant(null)),
      ),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(feature, { minLength: 1, maxLength: 8 }),
        fc.constantFrom('merge', 'replace'),
        async (features, mode) => {
          const { process, imported } = await aWorld();
          const once = await imported(collectionOf(features), { mode });
          const fields = await fieldsOf(process);
          const twice = await imported(collectionOf(features), { mode });
          expect(await fieldsOf(process)).toEqual(fields);
          expect(twice['written']).toBeGreaterThanOrEqual(Number(once['written']));
          expect(fields).toHaveLength(Number(once['written']));
        },
      ),
      { numRuns: tries(20) },
    );
  });

  test('of an export brings parties, farms and fields back as they were', async () => {
    const { world, process } = await aWorld();
    await process.put(keyIn('field', 'north'), { farmId: 'home', name: 'North', geometry: geometryAt(0) });
    await process.put(keyIn('field', 'bare'), { description: 'no place yet' });
    const scopes = [['party', '/parties/party'], ['farm', '/parties/party/farms/'], ['field', '/parties/party/fields/']] as const; // prettier-ignore
    const lines: string[] = [];
    for (const [kind, path] of scopes) {
      const scope = { kind, tenant: TENANT, ...(kind === 'party' ? {} : { partyId: 'party' }) };
      for (const item of await landOf(process, scope)) {
        const resource = await answered(item);
        lines.push(JSON.stringify({ path: kind === 'party' ? path : `${path}${item.id}`, resource }));
      }
    }
    const before = await fieldsOf(process);
    const other = new FarmWorld();
    const elsewhere = importProcess(other);
    const { id } = await elsewhere.import(`${lines.join('\r\n')}\n\n`, { type: 'application/x-ndjson' });
    await other.work(elsewhere);
    expect(await elsewhere.look(String(id))).toMatchObject({ status: 'Succeeded', total: 4, written: 4 });
    expect(await fieldsOf(elsewhere)).toEqual(before);
    expect(await world.stored()).toEqual(await other.stored());
  });

  test('of an export does not bring back a party that was erased since it was asked for, but one asked for later does', async () => {
    const { world, process } = await aWorld();
    const lines = ['party', 'other'].map((id) => JSON.stringify({ path: `/parties/${id}`, resource: { id } }));
    const again = (): Promise<object> => process.import(lines.join('\n'), { type: 'application/x-ndjson' });
    await process.startErasure({ tenant: TENANT, partyId: 'party' });
    const { id } = (await again()) as { id: string };
    await world.work(process);
    expect(await process.look(id)).toMatchObject({
      ...{ status: 'Succeeded', written: 1, failed: 1 },
      errors: [{ id: 'party', code: 'Conflict', message: expect.stringMatching(/was erased after/) as unknown }],
    });
    expect((await world.stored()).parties).toEqual([`${TENANT} other`]);
    await again();
    await world.work(process);
    expect((await world.stored()).parties).toHaveLength(2);
  });

  test('needs its party and its farm at the time when it writes', async () => {
    const { world, process } = await aWorld();
    const { id } = await process.import(someFeatures(2), { farmId: 'home' });
    await process.remove(keyIn('farm', 'home'));
    await world.work(process);
    const done = await process.look(String(id));
    expect(done).toMatchObject({ status: 'Succeeded', written: 0, failed: 2 });
    expect((done['errors'] as { code: string }[])[0]?.code).toMatch(/Conflict|ResourceNotFound/);
    expect((await world.stored()).fields).toEqual([]);
  });

  test('writes over the quota nothing that is new, and goes on changing what is there', async () => {
    let isFull = false;
    const full = (): Promise<void> =>
      isFull ? Promise.reject(new ServiceError(farmFaults.quotaExceeded, 'Full.')) : Promise.resolve();
    const { process, imported } = await aWorld({ checkQuota: full });
    await imported(collectionOf([featureAt(0)]));
    isFull = true;
    const done = await imported(collectionOf([featureAt(0, { field_id: 'f-0', name: 'New name' }), featureAt(1)]));
    expect(done).toMatchObject({
      written: 1,
      failed: 1,
      errors: [{ index: 1, code: 'QuotaExceeded', message: 'Full.' }],
    });
    expect(await fieldsOf(process)).toMatchObject([{ name: 'New name' }]);
  });

  test.each([
    {
      why: 'a file that breaks off',
      file: someFeatures(3).slice(0, -5),
      type: 'application/geo+json',
      text: 'ends before its JSON is whole',
    },
    { why: 'a file without features', file: collectionOf([]), type: 'application/geo+json', text: 'no features' },
    { why: 'blank lines alone', file: '\n\n', type: 'application/x-ndjson', text: 'no lines' },
  ] as const)('of $why fails as a whole, and its file goes', async ({ file, type, text }) => {
    const { world, imported } = await aWorld();
    const done = await imported(file, { type });
    expect(done).toMatchObject({ status: 'Failed', written: 0 });
    expect(done['message']).toContain(text);
    expect((await world.stored()).blobs).toEqual([]);
  });

  test('that can never succeed is given up, and its file goes', async () => {
    const { world, process } = await aWorld({ prepareFeatures: () => Promise.reject(new Error('A bug.')) });
    const { id } = await process.import(someFeatures(1));
    let attempts = 0;
    for (; attempts < 100 && (await world.openWork()).length > 0; attempts += 1) {
      world.clock.jump(24 * 3_600_000);
      await process.kernel.handle(workOfImport(TENANT, String(id)), process.kinds.get(IMPORT)!);
    }
    expect(attempts).toBe(30);
    expect(await process.look(String(id))).toMatchObject({
      status: 'Failed',
      message: 'Every attempt failed; import the file again.',
    });
    expect((await world.stored()).blobs).toEqual([]);
  });
});

describe('the request for an import', () => {
  test('under one Idempotency-Key makes one import; with another file it is refused', async () => {
    const { process, world } = await aWorld();
    const key = { idempotencyKey: 'key' };
    const first = await process.import(someFeatures(2), {}, key);
    expect(await process.import(someFeatures(2), {}, key)).toEqual(first);
    await expect(process.import(someFeatures(3), {}, key)).rejects.toMatchObject({ fault: { code: 'Conflict' } });
    await expect(process.import(someFeatures(2), { mode: 'replace' }, key)).rejects.toMatchObject({
      fault: { code: 'Conflict' },
    });
    await world.work(process);
    expect(await process.import(someFeatures(2), {}, key)).toMatchObject({
      id: first['id'],
      status: 'Succeeded',
      written: 2,
    });
  });

  test('of two at once with one key and different files refuses one, and imports the file of the other', async () => {
    const { process, world } = await aWorld();
    const key = { idempotencyKey: 'key' };
    const both = await Promise.allSettled([
      process.import(someFeatures(2), {}, key),
      process.import(someFeatures(3), {}, key),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await world.work(process);
    expect(await fieldsOf(process)).toHaveLength(both[0].status === 'fulfilled' ? 2 : 3);
    expect((await world.stored()).blobs).toEqual([]);
  });

  test.each([
    { why: 'nothing', file: '', options: {}, text: 'The body is empty' },
    { why: 'no party', file: someFeatures(1), options: { partyId: undefined }, text: 'partyId is missing' },
    { why: 'an unknown party', file: someFeatures(1), options: { partyId: 'nobody' }, text: 'no party nobody' },
    { why: 'an unknown farm', file: someFeatures(1), options: { farmId: 'none' }, text: 'no farm none' },
    {
      why: 'neither shapefile nor KML',
      file: zipped({ 'a.txt': 'x' }),
      options: { type: 'application/zip' as const },
      text: 'has no .shp file and no .kml file',
    },
    { why: 'a KMZ that is none', file: 'x', options: { type: KMZ_TYPE }, text: 'cannot be read' },
  ])('is refused with $why, and leaves nothing', async ({ file, options, text }) => {
    const { process, world } = await aWorld();
    await expect(process.import(file, options as object)).rejects.toThrow(text);
    expect([await world.openWork(), (await world.stored()).blobs]).toEqual([[], []]);
  });

  test('of another tenant is found by nobody else', async () => {
    const { process } = await aWorld();
    const { id } = await process.import(someFeatures(1));
    await expect(process.look(String(id), OTHER_TENANT)).rejects.toMatchObject({ fault: { status: 404 } });
    await expect(process.import(someFeatures(1), {}, { tenant: OTHER_TENANT })).rejects.toMatchObject({
      fault: { status: 404 },
    });
  });
});

describe('an import that is killed at any write', () => {
  test('writes every feature exactly once', async () => {
    const writes = await run(new Mortal(Infinity, false));
    expect(writes).toBeGreaterThan(10);
    for (let diesAt = 1; diesAt <= writes; diesAt += stride) {
      for (const takesEffect of [false, true]) await run(new Mortal(diesAt, takesEffect));
    }
  });

  test.each(['application/zip', KML_TYPE] as const)('of %s goes on behind what was written', async (type) => {
    for (let diesAt = 4; diesAt <= 14; diesAt += stride) await run(new Mortal(diesAt, true), type);
  });
});

/** The square of `geometryAt` as KML. */
function squareOfKml(index: number): string {
  const [ring = []] = geometryAt(index).coordinates;
  return polygonElement(ring.map((corner) => corner.join(',')).join(' '));
}

/** An import by a process that may be killed, brought to its end by another. @returns how often the former wrote */
async function run(
  mortal: Mortal,
  type: 'application/geo+json' | 'application/zip' | typeof KML_TYPE = 'application/geo+json',
): Promise<number> {
  const world = new FarmWorld();
  await aParty(world.process(), { farms: 0 });
  const files = {
    'application/geo+json': () => someFeatures(230),
    'application/zip': () => zippedSquares(230),
    [KML_TYPE]: () => kmlText(Array.from({ length: 230 }, (_, index) => placemark(squareOfKml(index))).join('')),
  };
  const file = files[type]();
  const process = importProcess(world, mortal);
  const ask = (by: ImportProcess) => by.import(file, { type, idProperty: 'ID' }, { idempotencyKey: 'key' });
  await ask(process).catch(() => undefined);
  await world.work(process);
  const { writes } = mortal;
  world.clock.jump(LEASE_MS);
  const written = new Map(
    world
      .rows('farmFields')
      .all()
      .map(({ rowKey, etag }) => [rowKey, etag]),
  );
  // A caller without an answer asks again.
  const after = importProcess(world);
  const { id } = await ask(after);
  await world.work(after);
  expect(await after.look(String(id))).toMatchObject({ status: 'Succeeded', total: 230, written: 230, failed: 0 });
  const rows = world.rows('farmFields').all<{ readonly eTag: string }>();
  expect(rows).toHaveLength(230);
  expect(new Set(rows.map(({ eTag }) => eTag)).size).toBe(230);
  // Nothing that was written before the end of the first process is written again.
  for (const { rowKey, etag } of rows) if (written.has(rowKey)) expect(etag).toBe(written.get(rowKey));
  expect((await world.stored()).blobs).toEqual([]);
  return writes;
}
