import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { fieldCollection } from '../../shared/farm/operations/fieldCollection.js';
import { getLand } from '../../shared/farm/land/getLand.js';
import type { Geometry, LandKey } from '../../shared/farm/land/land.js';
import { listLand } from '../../shared/farm/operations/listLand.js';
import { putLand } from '../../shared/farm/operations/putLand.js';
import { shapesHere } from '../../shared/farm/land/shapeWork.js';
import { readInTurn, shapesBeside } from '../../shared/wiring/areas/farmServices.js';
import { comparedArea } from '../../shared/geo/shapes/intersects.js';
import { tasks, type RunTask } from '../../shared/wiring/beside/tasks.js';
import { aParty, FarmWorld, keyIn, type Process } from './farmWorld.js';
import { answered, by, landInMemory, landKey, partyKey, TENANT } from './landInMemory.js';

/** A circle of so many positions, each with more digits than gzip can save: 100,000 of them take 4 MB as JSON. */
function circle(positions: number, centre = 10): Geometry {
  const ring = Array.from({ length: positions - 1 }, (_, k): [number, number] => {
    const turn = (2 * Math.PI * k) / (positions - 1);
    return [centre + 0.01 * Math.cos(turn), 50 + 0.01 * Math.sin(turn)];
  });
  return { type: 'Polygon', coordinates: [[...ring, ring[0] ?? [0, 0]]] };
}

const large = circle(12_000);
const small = circle(60);
const key = landKey('field', 'one');

async function aField(geometry: Geometry) {
  const world = landInMemory();
  const put = putLand(world.ports);
  await put(partyKey(), { body: {}, by });
  const write = (body: object, on = key) => put(on, { body: { ...body }, by });
  await write({ geometry });
  const names = async () => (await world.blobs.list('')).map(({ name }) => name);
  const read = async (of: LandKey) => answered(await getLand(world)(of));
  return { ...world, write, names, read };
}

describe('a geometry', () => {
  test('of 100,000 positions is kept whole, in a blob of its party', async () => {
    const largest = circle(100_000);
    const { read, names } = await aField(largest);
    const text = JSON.stringify(largest);
    expect(text.length).toBeGreaterThan(3_500_000);
    expect(JSON.stringify((await read(key)).geometry) === text).toBe(true);
    expect(await names()).toEqual([
      expect.stringMatching(new RegExp(`^${TENANT}/party/shapes/[0-9a-f]{64}-eTag-2-[0-9a-f-]{36}$`)),
    ]);
  });

  test('stays readable when the write that stored it is tried again under the same eTag', async () => {
    const { land, read } = await aField(large);
    const stored = (await land.findWhole(key))!.land;
    const again = { key, land: stored, before: undefined };
    expect(await land.insert(key, again.land)).toBe(false);
    expect(await land.writeMany({ kind: 'field', tenant: TENANT, partyId: 'party' }, [again])).toBe(false);
    expect((await read(key)).geometry).toEqual(large);
  });

  test('of usual size lies in the row', async () => {
    const { read, names } = await aField(small);
    expect((await read(key)).geometry).toEqual(small);
    expect(await names()).toEqual([]);
  });

  test('stays where it is while other members change', async () => {
    const { write, read, names } = await aField(large);
    const before = await names();
    expect((await answered((await write({ name: 'One' })).land)).geometry).toEqual(large);
    expect(await names()).toEqual(before);
    expect(await read(key)).toMatchObject({ name: 'One', geometry: large });
  });

  test.each<[string, Geometry | null, number]>([
    ['another large one', circle(12_000, 11), 1],
    ['a small one', small, 0],
    ['none', null, 0],
  ])('leaves no blob behind when it is replaced by %s', async (_, geometry, left) => {
    const { write, read, names } = await aField(large);
    const before = await names();
    await write({ geometry });
    expect((await read(key)).geometry).toEqual(geometry ?? undefined);
    expect(await names()).toHaveLength(left);
    expect(await names()).not.toEqual(before);
  });

  test('of a write that was overtaken leaves no blob behind', async () => {
    const { write, names, read } = await aField(small);
    await Promise.all([11, 12, 13].map((centre) => write({ geometry: circle(12_000, centre) })));
    expect(await names()).toHaveLength(1);
    expect((await read(key)).geometry?.type).toBe('Polygon');
  });

  test('that is replaced while it is read is read anew', async () => {
    const { write, read, blobs } = await aField(large);
    const next = circle(12_000, 11);
    const readBlob = blobs.read.bind(blobs);
    let reads = 0;
    // Another process replaces it between the row and its blob.
    blobs.read = async (name) => {
      reads += 1;
      if (reads === 1) await write({ geometry: next });
      return readBlob(name);
    };
    expect((await read(key)).geometry).toEqual(next);
    expect(reads).toBe(3);
  });

  test('whose blob is lost is no silence: 503, until it is written again', async () => {
    const { write, read, names, ...world } = await aField(large);
    for (const name of await names()) await world.blobs.delete(name);
    await expect(read(key)).rejects.toMatchObject({ fault: { status: 503 } });
    // The row still names it, should it be restored.
    await write({ name: 'One' });
    expect((await world.land.find(key))?.shape.shapeBlob).toBeDefined();
    await write({ geometry: small });
    expect((await read(key)).geometry).toEqual(small);
  });

  test('is not read for a list unless the boxes meet', async () => {
    const { write, land, ...world } = await aField(large);
    await write({ geometry: circle(12_000, 20) }, landKey('field', 'two'));
    const read: string[] = [];
    const blobRead = world.blobs.read.bind(world.blobs);
    world.blobs.read = (name) => {
      read.push(name);
      return blobRead(name);
    };
    const scope = { kind: 'field' as const, tenant: TENANT };
    await listLand({ land })(scope, { size: 50 });
    expect(read).toHaveLength(0);
    const near = { geometry: circle(60), box: [9, 49, 11, 51] as const };
    await listLand({ land })(scope, { size: 50, meets: near });
    expect(read).toHaveLength(1);
    const acrossTheLine = { geometry: circle(60), box: [170, 49, 11, 51] as const };
    await listLand({ land })(scope, { size: 50, meets: acrossTheLine });
    expect(read).toHaveLength(2);
  });
});

describe('much work on geometries', () => {
  const area = comparedArea({ type: 'Point', coordinates: [10, 50] });
  const packed = async (geometry: Geometry) => {
    const { land } = await aField(geometry);
    return (await land.findWhole(key))?.land.packed ?? new Uint8Array();
  };
  /** What is run beside the event loop. */
  function aProcess() {
    const ran: string[] = [];
    const run = ((name: 'doesShapeMeet' | 'featureShape' | 'pointOfShape', input: never) => {
      ran.push(name);
      return (tasks[name] as (given: never) => unknown)(input);
    }) as unknown as RunTask;
    return { ran, work: shapesBeside(run) };
  }

  test('is done beside the event loop, and gives the same there', async () => {
    const { ran, work } = aProcess();
    for (const [geometry, expected] of [
      [small, []],
      [large, ['doesShapeMeet', 'featureShape', 'pointOfShape']],
    ] as const) {
      // prettier-ignore
      ran.length = 0;
      const shape = { packed: await packed(geometry), area };
      expect(await work.doesMeet(TENANT, shape)).toBe(await shapesHere.doesMeet(TENANT, shape));
      expect(await work.feature(TENANT, shape.packed)).toEqual(await shapesHere.feature(TENANT, shape.packed));
      expect(await work.point(TENANT, shape.packed)).toEqual(await shapesHere.point(TENANT, shape.packed));
      expect(ran).toEqual(expected);
    }
  });

  test('is what a small geometry and a search of many corners make together', async () => {
    const { ran, work } = aProcess();
    const search = comparedArea(circle(999));
    expect(await work.doesMeet(TENANT, { packed: await packed(circle(20)), area: search })).toBe(true);
    expect(ran).toEqual([]);
    await work.doesMeet(TENANT, { packed: await packed(circle(500)), area: search });
    expect(ran).toEqual(['doesShapeMeet']);
  });

  test('is shared among pages: a search compares four megabytes of packed geometries at most', async () => {
    const { land, write } = await aField(circle(100_000));
    const stored = (await land.findWhole(key))!;
    const [four, copy] = [4 * 1024 * 1024, stored.land.packed!];
    const ids = Array.from({ length: 6 }, (_, index) => `large-${index}`);
    for (const id of ids) await write({ geometry: small }, landKey('field', id));
    // As large as the first one, without the minutes that it takes to write them.
    land.findWhole = (of) => Promise.resolve({ ...stored, land: { ...stored.land, id: of.id } });
    let compared = 0;
    const shapes = { ...shapesHere, doesMeet: () => Promise.resolve((compared += 1) > 0) };
    const listing = { size: 50, meets: comparedArea(small) };
    const first = await listLand({ land, shapes })({ kind: 'field', tenant: TENANT }, listing);
    const most = Math.ceil(four / copy.byteLength);
    expect([compared, first.items.length]).toEqual([most, most]);
    const rest = await listLand({ land, shapes })({ kind: 'field', tenant: TENANT }, { ...listing, after: first.next });
    expect([...first.items, ...rest.items].map(({ id }) => id)).toEqual([...ids, 'one'].sort());
  });

  test('is left undone for fields that the answer does not have: one field reads one blob', async () => {
    const { land, write, blobs } = await aField(large);
    await write({ geometry: large }, landKey('field', 'two'));
    let reads = 0;
    const readBlob = blobs.read.bind(blobs);
    blobs.read = (name) => {
      reads += 1;
      return readBlob(name);
    };
    const { features, next } = await fieldCollection({ land })(partyKey(), { limit: 1, hasPrefix: false });
    expect([features.length, reads, next?.row]).toEqual([1, 1, 'one']);
  });
});

describe('files of large geometries', () => {
  test('are read one at a time of each tenant, and written and deleted as ever', async () => {
    const { blobs } = landInMemory();
    let [reading, most] = [0, 0];
    const readBlob = blobs.read.bind(blobs);
    blobs.read = async (name) => {
      most = Math.max(most, (reading += 1));
      await new Promise((resolve) => setImmediate(resolve));
      reading -= 1;
      return readBlob(name);
    };
    const files = readInTurn(blobs);
    const names = (tenant: string): string[] => [1, 2, 3].map((number) => `${tenant}/party/shapes/${number}`);
    for (const name of names('a')) await files.write(name, Buffer.from(name), { type: 'application/gzip' });
    const found = await Promise.all(names('a').map((name) => files.read(name)));
    expect(found.map((file) => file?.bytes.toString())).toEqual(names('a'));
    expect(most).toBe(1);
    await Promise.all(['a', 'b'].flatMap(names).map((name) => files.read(name)));
    expect(most).toBe(2);
    await files.delete('a/party/shapes/1');
    expect((await files.list('a/')).map(({ name }) => name)).toEqual(names('a').slice(1));
  });
});

describe('a geometry that is handed on', () => {
  test('is not read, and has no members but its type and coordinates', async () => {
    const { land, read } = await aField(small);
    const stored = (await land.find(key))!;
    const more = { coordinates: small.coordinates, type: 'Polygon', crs: 'of an earlier version' };
    await land.update(key, { ...stored.land, packed: gzipSync(JSON.stringify(more)) }, stored);
    expect((await read(key)).geometry).toEqual(small);
  });
});

describe('the blobs of geometries', () => {
  /** A field with a large geometry, and a blob of a writer that died before it wrote the row. */
  const aLargeField = async (): Promise<{ world: FarmWorld; process: Process }> => {
    const world = new FarmWorld();
    const process = world.process();
    await aParty(process, { withInsights: false });
    await process.put(keyIn('field', 'field-0-0'), { geometry: circle(12_000) });
    const [name = ''] = (await world.stored()).blobs;
    await world.blobs.write(`${name}-of-the-dead`, new Uint8Array([1]), { type: 'application/gzip' });
    return { world, process };
  };

  test('go with a field that is deleted', async () => {
    const { world, process } = await aLargeField();
    await process.remove(keyIn('field', 'field-0-0'));
    await world.work();
    expect(await world.stored()).toMatchObject({ fields: [], blobs: [] });
  });

  test.each<[string, ReturnType<typeof keyIn>]>([
    ['field', keyIn('field', 'field-0-0')],
    ['farm', keyIn('farm', 'farm-0')],
    ['party', { ...keyIn('party', 'party') }],
  ])('go with a %s that is deleted with all below it', async (_, target) => {
    const { world, process } = await aLargeField();
    await process.startCascade('job', target);
    await world.work();
    expect(await world.stored()).toMatchObject({ fields: [], blobs: [] });
  });

  test('of a party whose id ends with a dot have names that storage takes', async () => {
    const world = landInMemory();
    const put = putLand(world.ports);
    await put(partyKey('a.'), { body: {}, by });
    await put(landKey('field', 'one', 'a.'), { body: { geometry: circle(12_000) }, by });
    const [{ name } = { name: '' }] = await world.blobs.list('');
    expect(name.split('/').every((segment) => !segment.endsWith('.'))).toBe(true);
    expect((await answered(await getLand(world)(landKey('field', 'one', 'a.')))).geometry?.type).toBe('Polygon');
  });
});
