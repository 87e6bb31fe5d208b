import { describe, expect, test } from '@jest/globals';
import { putLand, type LandPatch } from '../../../shared/farm/operations/putLand.js';
import { answered, by, landInMemory, landKey, OTHER_TENANT, partyKey } from '../landInMemory.js';

const square = {
  type: 'Polygon',
  coordinates: [
    [
      [10, 50],
      [10.01, 50],
      [10.01, 50.01],
      [10, 50.01],
      [10, 50],
    ],
  ],
};

async function aFarm() {
  const world = landInMemory();
  const put = putLand(world.ports);
  const write = (key: Parameters<typeof put>[0], body: LandPatch['body'], more: Partial<LandPatch> = {}) =>
    put(key, { body, by, ...more });
  await write(partyKey(), { name: 'Party' });
  await write(landKey('farm', 'farm'), { name: 'Farm' });
  return { ...world, write };
}

describe('a party, farm or field that is written', () => {
  test('is created with its author and times', async () => {
    const { write } = await aFarm();
    const { land, isNew } = await write(landKey('field', 'one'), { name: 'One', farmId: 'farm', geometry: square });
    expect(isNew).toBe(true);
    expect(await answered(land)).toEqual({
      ...{ id: 'one', partyId: 'party', farmId: 'farm', name: 'One', geometry: square, eTag: expect.any(String) },
      ...{ createdDateTime: '2026-05-01T10:00:00Z', createdBy: by },
      ...{ modifiedDateTime: '2026-05-01T10:00:00Z', modifiedBy: by },
    });
  });

  test('is merged with what is there: null removes, what is not named stays', async () => {
    const { write, time } = await aFarm();
    const key = landKey('field', 'one');
    const first = await write(key, { name: 'One', description: 'Old', properties: { soil: 'clay', slope: 2 } });
    time.now += 60_000;
    const second = await write(key, { description: null, properties: { slope: null, crop: 'corn' } });
    expect(second.isNew).toBe(false);
    expect(second.land).toMatchObject({ name: 'One', properties: { soil: 'clay', crop: 'corn' } });
    expect(second.land).not.toHaveProperty('description');
    expect(second.land.createdAt).toBe(first.land.createdAt);
    expect(second.land.modifiedAt).toBe(first.land.createdAt + 60_000);
    expect(second.land.eTag).not.toBe(first.land.eTag);
  });

  test('is found by its id in any case when that is a UUID, and keeps its first spelling', async () => {
    const { write } = await aFarm();
    const id = '0F4C4F3E-8F0B-4C7D-9A43-5D2F0C9B7E11';
    await write(landKey('field', id), { name: 'One' });
    const { land, isNew } = await write(landKey('field', id.toLowerCase()), { name: 'Two' });
    expect({ isNew, id: land.id, name: land.name }).toEqual({ isNew: false, id, name: 'Two' });
  });

  test('differs from one whose other id differs in case alone', async () => {
    const { write } = await aFarm();
    await write(landKey('field', 'North'), { name: 'Upper' });
    expect((await write(landKey('field', 'north'), { name: 'Lower' })).isNew).toBe(true);
  });

  test('takes a whole resource back, its read-only members ignored', async () => {
    const { write } = await aFarm();
    const { land } = await write(landKey('field', 'one'), { name: 'One', geometry: square });
    const again = await write(landKey('field', 'one'), { ...(await answered(land)), name: 'Two' });
    expect({ ...again.land, ...(await answered(again.land)) }).toMatchObject({
      name: 'Two',
      createdBy: by,
      geometry: square,
    });
  });

  test.each([
    ['an unknown member', { colour: 'red' }, /colour is no member/],
    ['another id than the path', { id: 'two' }, /id of the body is not that of the path/],
    ['another party than the path', { partyId: 'other' }, /partyId of the body/],
    ['a name of 101 characters', { name: 'x'.repeat(101) }, /name must be a text of 0 to 100/],
    ['a source of one character', { source: 'x' }, /source must be a text of 2 to 100/],
    ['properties that are a list', { properties: [] }, /properties must be an object/],
    [
      '26 properties',
      { properties: Object.fromEntries(Array.from({ length: 26 }, (_, k) => [`k${k}`, k])) },
      /26 pairs/,
    ],
    ['a property that is an object', { properties: { a: {} } }, /properties\.a must be a text or a number/],
    ['a farm that is not there', { farmId: 'nowhere' }, /has no farm nowhere/],
  ])('is refused with %s', async (_, body, message) => {
    const { write } = await aFarm();
    await expect(write(landKey('field', 'one'), body)).rejects.toThrow(message);
  });

  test('is refused without its party, and at another tenant', async () => {
    const { write } = await aFarm();
    await expect(write(landKey('farm', 'f', 'nobody'), {})).rejects.toMatchObject({ fault: { status: 404 } });
    await expect(write(landKey('farm', 'f', 'party', OTHER_TENANT), {})).rejects.toMatchObject({
      fault: { status: 404 },
    });
  });

  test('is guarded by If-Match and If-None-Match', async () => {
    const { write } = await aFarm();
    const key = landKey('field', 'one');
    const { land } = await write(key, { name: 'One' }, { ifNoneMatch: '*' });
    await expect(write(key, {}, { ifNoneMatch: '*' })).rejects.toMatchObject({ fault: { status: 412 } });
    await expect(write(key, {}, { ifMatch: '"other"' })).rejects.toMatchObject({ fault: { status: 412 } });
    await expect(write(landKey('field', 'two'), {}, { ifMatch: '*' })).rejects.toMatchObject({
      fault: { status: 412 },
    });
    expect((await write(key, { name: 'Two' }, { ifMatch: `"${land.eTag}"` })).land.name).toBe('Two');
  });

  test('loses nothing of two changes at the same time', async () => {
    const { write } = await aFarm();
    const key = landKey('field', 'one');
    await write(key, { name: 'One' });
    await Promise.all(Array.from({ length: 8 }, (_, k) => write(key, { properties: { [`k${k}`]: k } })));
    const { land } = await write(key, {});
    expect(Object.keys(land.properties ?? {})).toHaveLength(8);
  });

  test('is refused while it or its parent is being deleted', async () => {
    const { write, land } = await aFarm();
    const mark = async (key: Parameters<typeof land.find>[0]) => land.mark(key, (await land.find(key))?.etag ?? '');
    await write(landKey('field', 'one'), {});
    await mark(landKey('field', 'one'));
    await expect(write(landKey('field', 'one'), {})).rejects.toMatchObject({ fault: { status: 409 } });
    await mark(landKey('farm', 'farm'));
    await expect(write(landKey('field', 'two'), { farmId: 'farm' })).rejects.toMatchObject({ fault: { status: 409 } });
    await mark(partyKey());
    await expect(write(landKey('field', 'two'), {})).rejects.toMatchObject({ fault: { status: 409 } });
  });
});
