import { beforeEach, describe, expect, test } from '@jest/globals';
import { DataManagerError, type DataManager, type InsightKey } from '../../../shared/jobs/dataManager/dataManager.js';
import { commonFaults } from '../../../shared/kit/errors/catalogue.js';
import { ServiceError } from '../../../shared/kit/errors/serviceError.js';
import type { LandStore } from '../../../shared/farm/land/landStore.js';
import { ownDataManager } from '../../../shared/farm/operations/ownDataManager.js';
import { putLand } from '../../../shared/farm/operations/putLand.js';
import { interiorPointOf } from '../../../shared/geo/shapes/interiorPoint.js';
import { boxPolygon, FIELD_BOX } from '../../imagery/builders.js';
import { answered, by, landInMemory, landKey, OTHER_TENANT, partyKey, TENANT } from '../landInMemory.js';

const key: InsightKey = {
  ...{ partyId: 'party', modelId: 'partnerAgPowered.gdd', resourceType: 'Field', resourceId: 'field' },
  ...{ insightId: 'insight', epoch: 1 },
};
const insight = {
  ...{ modelVersion: '1', from: new Date('2026-05-01T00:00:00Z'), to: new Date('2026-05-31T23:59:59Z') },
  ...{ name: 'GDD CORN', measurements: { gdd: { unit: 'C', value: 812 } } },
};
const owner = { tenant: TENANT, ...key } as const;
const searchField = {
  ...{ farmId: 'farm', name: 'Search', description: 'No field.', status: 'SearchRegion' },
  geometry: boxPolygon(FIELD_BOX),
};

let world: ReturnType<typeof landInMemory>;
let own: DataManager;
const of = (tenant: string, land: LandStore = world.land): DataManager =>
  ownDataManager(tenant, { ...world.ports, land, insights: world.insights });

beforeEach(async () => {
  world = landInMemory();
  const put = putLand(world.ports);
  await put(partyKey(), { body: { name: 'Party' }, by });
  await put(landKey('farm', 'farm'), { body: {}, by });
  await put(landKey('field', 'field'), { body: { farmId: 'farm', geometry: boxPolygon(FIELD_BOX) }, by });
  own = of(TENANT);
});

describe('parties, farms and fields as jobs see them', () => {
  test('are what the tenant has', async () => {
    await expect(own.getParty('party')).resolves.toEqual({ id: 'party' });
    await expect(own.getFarm('party', 'farm')).resolves.toMatchObject({ id: 'farm', partyId: 'party' });
    await expect(own.getField('party', 'field')).resolves.toMatchObject({
      ...{ id: 'field', partyId: 'party', farmId: 'farm', point: interiorPointOf(boxPolygon(FIELD_BOX)) },
    });
  });

  test.each([
    ['an unknown one', () => own.getField('party', 'none')],
    ['one of another party', () => own.getField('other', 'field')],
    ['a farm that is asked for as a field', () => own.getField('party', 'farm')],
    ['one of another tenant', () => of(OTHER_TENANT).getField('party', 'field')],
    ['a party of another tenant', () => of(OTHER_TENANT).getParty('party')],
    ['a farm of another tenant', () => of(OTHER_TENANT).getFarm('party', 'farm')],
  ])('are not found: %s', async (_what, read) => {
    const fault: unknown = await read().catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(DataManagerError);
    expect(fault).toMatchObject({ kind: 'not_found', status: 404 });
  });

  test('are not found while they are being deleted', async () => {
    for (const land of [partyKey(), landKey('farm', 'farm'), landKey('field', 'field')]) {
      await world.land.mark(land, (await world.land.find(land))!.etag);
    }
    for (const read of [own.getParty('party'), own.getFarm('party', 'farm'), own.getField('party', 'field')]) {
      await expect(read).rejects.toMatchObject({ kind: 'not_found' });
    }
  });

  test('cannot be had while storage is away; a mistake of ours stays one', async () => {
    const failing = (error: Error): DataManager =>
      of(TENANT, Object.assign(Object.create(world.land) as LandStore, { findWhole: () => Promise.reject(error) }));
    const away = new ServiceError(commonFaults.unavailable, 'Storage is away.');
    await expect(failing(away).getFarm('party', 'farm')).rejects.toMatchObject({ kind: 'unavailable', cause: away });
    const mistake = new TypeError('undefined is not a function');
    await expect(failing(mistake).getFarm('party', 'farm')).rejects.toBe(mistake);
  });
});

describe('the search field of a job', () => {
  test('is a field of the farm, whose status tells it from those of people', async () => {
    await own.putField('party', 'search', searchField);
    const { geometry, ...members } = searchField;
    const { land } = (await world.land.findWhole(landKey('field', 'search')))!;
    await expect(answered(land)).resolves.toMatchObject({ geometry });
    expect(land).toMatchObject({
      ...{ ...members, createdBy: 'partnerAgPowered.smartBoundary' },
      extent: { box: FIELD_BOX },
    });
  });

  test('may be written again', async () => {
    await own.putField('party', 'search', searchField);
    await of(TENANT).putField('party', 'search', searchField);
    expect((await world.land.find(landKey('field', 'search')))?.land.name).toBe(searchField.name);
  });

  test('is refused when the farm is not there, and in conflict while the farm is being deleted', async () => {
    await expect(own.putField('party', 'search', { ...searchField, farmId: 'none' })).rejects.toMatchObject({
      kind: 'bad_request',
    });
    const farm = landKey('farm', 'farm');
    await world.land.mark(farm, (await world.land.find(farm))!.etag);
    await expect(own.putField('party', 'search', searchField)).rejects.toMatchObject({ kind: 'conflict', status: 409 });
  });
});

describe('an insight of a job', () => {
  const part = async () => (await world.insights.find('insight', owner, 'insight'))!.part;

  test('has what the job tells, and the solution as its author', async () => {
    await own.putInsight(key, insight);
    expect(await part()).toMatchObject({
      ...{ name: 'GDD CORN', modelVersion: '1', createdBy: 'partnerAgPowered.gdd' },
      ...{ from: insight.from.getTime(), to: insight.to.getTime(), measurements: insight.measurements },
    });
  });

  test('keeps what a later write does not name; null removes a measurement', async () => {
    await own.putInsight(key, { ...insight, properties: { crop: 'CORN' } });
    const { name: _name, ...unnamed } = insight;
    await own.putInsight(key, { ...unnamed, measurements: { gdd: null, gddNormal: { value: 700 } } });
    expect(await part()).toMatchObject({ name: 'GDD CORN', properties: { crop: 'CORN' } });
    expect((await part()).measurements).toEqual({ gddNormal: { value: 700 } });
  });

  test('has files that can be read', async () => {
    const data = Buffer.from('{"days":[]}');
    await own.putInsightAttachment(key, { id: 'file', name: 'gdd.json', contentType: 'application/json', data });
    expect((await world.insights.find('attachment', owner, 'file'))?.part).toMatchObject({
      ...{ insightId: 'insight', originalFileName: 'gdd.json', bytes: data.length },
    });
    expect((await world.insights.readFile(owner, 'file', 1))?.toString()).toBe('{"days":[]}');
  });

  test('is guarded by the epoch of the attempt, also against coming back', async () => {
    await own.putInsight({ ...key, epoch: 3 }, insight);
    await expect(own.putInsight({ ...key, epoch: 2 }, insight)).rejects.toMatchObject({ kind: 'unavailable' });
    await own.removeInsight({ ...key, epoch: 4 });
    await own.removeInsightAttachment({ ...key, epoch: 4 }, 'file');
    await expect(own.putInsight({ ...key, epoch: 3 }, insight)).rejects.toMatchObject({ kind: 'unavailable' });
  });

  test('is refused for what is not there', async () => {
    await expect(own.putInsight({ ...key, resourceId: 'none' }, insight)).rejects.toMatchObject({ kind: 'not_found' });
    await expect(of(OTHER_TENANT).putInsight(key, insight)).rejects.toMatchObject({ kind: 'not_found' });
    expect(world.rows('farmInsights').all()).toEqual([]);
  });
});
