import { describe, expect, test } from '@jest/globals';
import { ApiError } from '../../console/api/errors.js';
import type { ChosenFile } from '../../console/views/adding/chosenFile.js';
import { checkParts, limitIn, partsOf } from '../../console/views/adding/checkSubmission.js';
import { readFeatures } from '../../console/views/adding/readFeatures.js';
import type { TriedField } from '../../console/views/adding/submissionFaults.js';

const fileOf = (...names: readonly string[]): ChosenFile => {
  const features = names.map((name) => ({ type: 'Feature', properties: { field_id: name }, geometry: null }));
  return { read: readFeatures({ type: 'FeatureCollection', features }) } as ChosenFile;
};
const sound: TriedField = { field_id: '', area_ha: 5, errors: null };
const refusal = (type: string, msg: string, loc: readonly (string | number)[] = ['geojson', 'features']): ApiError =>
  new ApiError(msg, { status: 422, details: [{ loc, msg, type }] });
const tooMany = refusal('too_many_fields', 'geojson.features has 600 features; at most 250 are allowed, so split it');
const check = (names: readonly string[], limit: number, tryPart: Parameters<typeof checkParts>[2]) => {
  const parts = partsOf([...names.keys()], limit);
  return checkParts(parts, { file: fileOf(...names), typed: new Map() }, tryPart);
};
const allSound = (part: readonly number[]): Promise<TriedField[]> => Promise.resolve(part.map(() => sound));

describe('a file of more fields than one enrollment takes', () => {
  test('becomes several, each of as many as the service says', () => {
    expect([limitIn(tooMany), limitIn(refusal('crs', 'at most 250 are allowed')), limitIn(new Error())]).toEqual([
      250,
      undefined,
      undefined,
    ]);
    expect(partsOf([1, 2, 4, 5, 8], 2)).toEqual([[1, 2], [4, 5], [8]]);
    expect(partsOf([1, 2], 2)).toEqual([[1, 2]]);
  });

  test('is divided by who asks: the refusal is theirs', async () => {
    await expect(check(['a', 'b', 'c'], Infinity, () => Promise.reject(tooMany))).rejects.toBe(tooMany);
  });

  test('is sound when all parts are, with the area of each field', async () => {
    const { state, areas } = await check(['a', 'b', 'c'], 2, allSound);
    expect([state, [...areas.keys()]]).toEqual(['sound', [0, 1, 2]]);
  });

  test('has its faults at its own features, and the others are checked all the same', async () => {
    const loc = ['geojson', 'features', 0, 'properties', 'field_id'];
    const { state, faults, areas } = await check(['a', 'b', 'c/', 'd'], 2, (part) =>
      part[0] === 0 ? allSound(part) : Promise.reject(refusal('field_id', 'must not hold any of /', loc)),
    );
    expect([state, faults.fields.map(({ feature, code }) => [feature, code])]).toEqual(['faulty', [[2, 'field_id']]]);
    expect([...areas.keys()]).toEqual([0, 1]);
  });

  test('may have a name once, though each enrollment would take it', async () => {
    const { state, faults } = await check(['Hill', 'b', 'HILL', 'b'], 2, allSound);
    expect(state).toBe('faulty');
    expect(faults.fields.map(({ feature, message }) => [feature, message])).toEqual([
      [2, 'is the name of another field too, Hill, apart from letter case'],
      [3, 'is the name of another field too'],
    ]);
  });

  test('is no further asked about when the service does not answer', async () => {
    let asked = 0;
    const { error } = await check(['a', 'b', 'c'], 1, () => {
      asked += 1;
      return Promise.reject(new ApiError('away', { status: 503 }));
    });
    expect([asked, error]).toEqual([1, expect.any(ApiError)]);
  });
});
