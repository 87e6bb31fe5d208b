import { describe, expect, test } from '@jest/globals';
import { DEMO_FARM, OWN_FARMS, WEATHER_FIELDS } from '../../../infra/local/demo/farms.js';
import { plantFarms } from '../../../infra/local/farmSeed.js';
import { tenantId } from '../../../infra/local/standIns/tenants.js';
import { unpacked } from '../../../shared/farm/land/packedShape.js';
import type { Polygon, Ring } from '../../../shared/geo/shapes/geoJson.js';
import { polygonAreaHa } from '../../../shared/geo/grid/polygonArea.js';
import { landInMemory } from '../../farm/landInMemory.js';

const [{ id: partyId, fields }] = OWN_FARMS;

describe('the farms that local tenants begin with', () => {
  const rings = ({ geometry }: (typeof fields)[number]): readonly Ring[] =>
    geometry.type === 'Polygon' ? geometry.coordinates : geometry.coordinates.flat();
  const turn = (ring: Ring): number =>
    Math.sign(ring.slice(1).reduce((sum, [x, y], at) => sum + ring[at]![0] * y - x * ring[at]![1], 0));

  test('are two with two fields each, and three fields of odd weather', () => {
    expect(fields.map(({ farmId }) => farmId === DEMO_FARM.farmId)).toEqual([
      ...[true, true, false, false],
      ...Object.values(WEATHER_FIELDS).map(() => false),
    ]);
    expect(DEMO_FARM.fieldIds.slice(4)).toEqual(Object.values(WEATHER_FIELDS));
  });

  test.each(fields.map((field) => [field.name, field] as const))('%s has 20 to 100 ha, anticlockwise', (_, field) => {
    const areaHa = polygonAreaHa(field.geometry);
    expect(areaHa).toBeGreaterThan(20);
    expect(areaHa).toBeLessThan(100);
    expect(turn(rings(field)[0]!)).toBe(1);
  });

  test('have holes that run clockwise', () => {
    expect(rings(fields[3]!).map(turn)).toEqual([1, -1, 1]);
  });

  test('have their point on surface within the first field', () => {
    const [ring] = (fields[0]!.geometry as Polygon).coordinates;
    const { longitude, latitude } = DEMO_FARM.pointOnSurface;
    const crossings = ring!.slice(1).filter(([x, y], index) => {
      const [startX, startY] = ring![index]!;
      const crossesAt = startX + ((latitude - startY) / (y - startY)) * (x - startX);
      return startY > latitude !== y > latitude && longitude < crossesAt;
    });
    expect(crossings.length % 2).toBe(1);
  });
});

describe('planting the farms', () => {
  const keyOf = (kind: 'party' | 'farm' | 'field', id: string) => ({ kind, tenant: tenantId('demo'), partyId, id });

  test('writes party, farms and fields of the tenant', async () => {
    const { rows, land } = landInMemory();
    await plantFarms(rows);
    const { land: first } = (await land.findWhole(keyOf('field', fields[0]!.id)))!;
    expect(first).toMatchObject({ name: fields[0]!.name, createdBy: 'npm start' });
    await expect(unpacked(first.packed!)).resolves.toEqual(fields[0]!.geometry);
    const all = { kind: 'field', tenant: tenantId('demo'), partyId } as const;
    expect(await land.page(all, { after: undefined, most: 100 })).toHaveLength(fields.length);
  });

  test('again changes nothing, and leaves what a user has changed', async () => {
    const { rows, land } = landInMemory();
    await plantFarms(rows);
    const key = keyOf('field', fields[0]!.id);
    const before = (await land.find(key))!;
    const other = keyOf('field', fields[1]!.id);
    const eTag = (await land.find(other))!.land.eTag;
    await land.update(key, { ...before.land, name: 'Renamed' }, before);
    await plantFarms(rows);
    expect((await land.find(key))?.land.name).toBe('Renamed');
    expect((await land.find(other))?.land.eTag).toBe(eTag);
  });

  test('brings back a field that was deleted, and not that of a farm that is being deleted', async () => {
    const { rows, land } = landInMemory();
    await plantFarms(rows);
    const key = keyOf('field', fields[0]!.id);
    await land.remove(key, (await land.find(key))!.etag);
    await plantFarms(rows);
    expect(await land.find(key)).toBeDefined();
    await land.remove(key, (await land.find(key))!.etag);
    const farm = keyOf('farm', DEMO_FARM.farmId);
    await land.mark(farm, (await land.find(farm))!.etag);
    await plantFarms(rows);
    expect(await land.find(key)).toBeUndefined();
  });
});
