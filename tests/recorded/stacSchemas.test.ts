import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { beforeAll, expect, test } from '@jest/globals';
import { LAYER_NAMES } from '../../shared/scenes/layers/layers.js';
import { aScene } from '../imagery/builders.js';
import { ImageryUnderTest } from '../imagery/imageryUnderTest.js';
import { describeGenuine, recordedAnswer, recordedIn } from './genuine.js';

const FOLDER = 'stac-schemas';
const schemas = recordedIn(FOLDER);
const CORE = 'https://schemas.stacspec.org/v1.1.0';
const ITEM = `${CORE}/item-spec/json-schema/item.json`;
const COLLECTION = `${CORE}/collection-spec/json-schema/collection.json`;

type Json = Readonly<Record<string, unknown>>;

/** What the published schema of this address has against a document. */
function faultsBy(ajv: Ajv, address: string, document: Json): readonly unknown[] {
  const validate = ajv.getSchema(address);
  if (validate === undefined) return [`there is no schema ${address}`];
  return validate(document) === true ? [] : (validate.errors ?? []);
}

describeGenuine('STAC 1.1 schemas with those of the extensions', schemas, () => {
  const service = new ImageryUnderTest('2026-06-20T12:00:00Z');
  const ajv = new Ajv({ allErrors: true, strict: false });
  addFormats.default(ajv);
  for (const format of ['iri', 'iri-reference']) ajv.addFormat(format, true);
  const documents = (): readonly Json[] =>
    [...service.imagery.documents.values()].map(({ document }) => document as Json);
  const items = (): readonly Json[] => documents().filter(({ type }) => type === 'Feature');
  const listed = (): readonly Json[] =>
    documents().flatMap(({ type, features }) => (type === 'FeatureCollection' ? (features as readonly Json[]) : []));
  const addressesOf = (item: Json): readonly string[] => [ITEM, ...(item['stac_extensions'] as readonly string[])];
  const collection = (): Json => documents().find(({ type }) => type === 'Collection') ?? {};

  beforeAll(async () => {
    for (const { file } of schemas) ajv.addSchema(recordedAnswer(FOLDER, file) as Json);
    for (const date of ['2026-06-12', '2026-06-17']) {
      service.catalogue.add(aScene({ id: date, takenAt: `${date}T10:05:59.000Z`, datatake: date }));
    }
    const request = { startDate: '2026-06-10', endDate: '2026-06-30', layers: LAYER_NAMES };
    const fields = [{ fieldId: 'north', box: [13.14, 48.29, 13.1436, 48.2925] as const }];
    await service.enrol({ customer: 'contoso', enrollmentId: 'e1', fields, request });
    await service.drain();
  });

  test('take our items, by each schema that an item names', () => {
    expect(items()).toHaveLength(2);
    for (const item of items()) {
      for (const address of addressesOf(item)) expect([address, faultsBy(ajv, address, item)]).toEqual([address, []]);
    }
  });

  test('take the items of items.json', () => {
    expect(listed()).toHaveLength(2);
    for (const item of listed()) {
      for (const address of addressesOf(item)) expect([address, faultsBy(ajv, address, item)]).toEqual([address, []]);
    }
  });

  test('refuse an item with one thing wrong', () => {
    const [item = {}] = items();
    expect(faultsBy(ajv, ITEM, { ...item, stac_version: '1.0.0' })).not.toEqual([]);
    const wrong = { 'proj:code': 5, 'file:size': 'x', bands: [{ 'raster:scale': 'x' }] };
    const broken = { ...item, assets: { ndvi: { ...(item['assets'] as Record<string, Json>)['ndvi'], ...wrong } } };
    for (const address of addressesOf(item).slice(1)) {
      expect([address, faultsBy(ajv, address, broken).length > 0]).toEqual([address, true]);
    }
  });

  test('take our collection, with days that expired too', async () => {
    expect(faultsBy(ajv, COLLECTION, collection())).toEqual([]);
    service.clock.jump((service.retentionDays + 1) * 86_400_000);
    expect(await service.expire()).toBe(2);
    expect(faultsBy(ajv, COLLECTION, collection())).toEqual([]);
    expect(faultsBy(ajv, COLLECTION, { ...collection(), extent: {} })).not.toEqual([]);
  });
});
