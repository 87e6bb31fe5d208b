import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { basisOf } from '../../../shared/enrollments/fields/fieldDate.js';
import { bestVersions } from '../../../shared/scenes/item/scene.js';
import { sceneDays, type SceneDay } from '../../../shared/scenes/item/sceneChoice.js';
import type { Scene } from '../../../shared/scenes/item/scene.js';
import { aScene, boxPolygon, FIELD_BOX } from '../../imagery/builders.js';

const place = { bbox: FIELD_BOX, epsg: 32633 };
const idsOf = (days: readonly SceneDay[]): string[][][] =>
  days.map(({ overpasses }) => overpasses.map((scenes) => scenes.map(({ id }) => id)));

/** Tile 33UVP begins 100 km east of 33UUP and shares nothing with the field. */
const inCollection1 = aScene({ id: 'S2B_T33UUP_20260617T100559_L2A', collection: 'sentinel-2-c1-l2a' });
const neighbour = aScene({ id: 'neighbour', tile: '33UUQ' });

describe('the scenes of a field', () => {
  test('are one a day when one tile shows the field', () => {
    expect(idsOf(sceneDays([aScene()], place))).toEqual([[['S2B_33UUP_20260617_0_L2A']]]);
  });

  test('come newest day first', () => {
    const scenes = ['2026-06-12', '2026-06-22', '2026-06-17'].map((date) =>
      aScene({ id: date, takenAt: `${date}T10:06:00.000Z`, datatake: date }),
    );
    expect(sceneDays(scenes, place).map(({ date }) => date)).toEqual(['2026-06-22', '2026-06-17', '2026-06-12']);
  });

  test.each<{ why: string; scenes: readonly Scene[]; expected: readonly string[] }>([
    {
      why: 'that of the collection whose metadata are right, alone: the pixels are the same',
      scenes: [aScene(), inCollection1],
      expected: [inCollection1.id],
    },
    {
      why: 'the highest baseline',
      scenes: [
        aScene({ id: 'old', baseline: '05.09', generatedAt: '2026-06-20' }),
        aScene({ id: 'new', baseline: '05.10' }),
      ],
      expected: ['new', 'old'],
    },
    {
      why: 'the newest version of one baseline',
      scenes: [aScene({ id: 'a_0', generatedAt: '2026-06-17' }), aScene({ id: 'a_1', generatedAt: '2026-06-19' })],
      expected: ['a_1', 'a_0'],
    },
    {
      why: 'a version without a datatake id by its time',
      scenes: [aScene({ id: 'plain', datatake: '' }), aScene({ id: 'better', baseline: '05.12' })],
      expected: ['better', 'plain'],
    },
    {
      why: 'the newer one although neither names its datastrip',
      scenes: [
        aScene({ id: 'a_0', datastripStart: '' }),
        aScene({ id: 'a_1', datastripStart: '', generatedAt: '2026-06-19' }),
      ],
      expected: ['a_1', 'a_0'],
    },
  ])('of one granule in several versions begin with $why', ({ scenes, expected }) => {
    for (const order of [scenes, scenes.toReversed()]) {
      expect(idsOf(sceneDays(order, place))).toEqual([[expected]]);
    }
  });

  test.each<{ why: string; north: Partial<Scene>; south: Partial<Scene> }>([
    {
      why: 'told by their datastrips',
      north: { datastripStart: '20260617T100559' },
      south: { datastripStart: '20260617T100604' },
    },
    {
      why: 'told by the seconds of their acquisition',
      north: { datastripStart: '', takenAt: '2026-06-17T10:05:59.000Z' },
      south: { datastripStart: '', takenAt: '2026-06-17T10:06:04.000Z' },
    },
  ])('are both granules of a tile that a datastrip ends in, $why, each in its best version', ({ north, south }) => {
    const scenes = [
      aScene({ ...north, id: 'S2B_33UUP_20260617_0_L2A', nodataPercent: 40 }),
      aScene({ ...south, id: 'S2B_33UUP_20260617_1_L2A', nodataPercent: 60, generatedAt: '2026-06-17T14:00:00Z' }),
      aScene({ ...south, id: 'S2B_33UUP_20260617_2_L2A', nodataPercent: 60, baseline: '05.12' }),
    ];
    const [day] = sceneDays(scenes, place);
    expect(day!.overpasses.map((overpass) => bestVersions(overpass).map(({ id }) => id))).toEqual([
      ['S2B_33UUP_20260617_0_L2A', 'S2B_33UUP_20260617_2_L2A'],
    ]);
  });

  test('with their versions have the basis that the best versions alone have', () => {
    const old = aScene({ id: 'old', baseline: '05.10' });
    const [alone, both] = [[aScene()], [aScene(), old]].map((scenes) => sceneDays(scenes, place)[0]!.overpasses);
    expect(basisOf('hash', both!)).toBe(basisOf('hash', alone!));
  });

  test.each<{ why: string; better: Partial<Scene>; worse: Partial<Scene> }>([
    { why: 'one that shows all of it', better: {}, worse: { footprint: boxPolygon([12.27, 47.75, 13.142, 48.76]) } },
    {
      why: 'one whose raster reaches as far as its footprint says',
      better: {},
      worse: { grid: { ...aScene().grid, height: 2_000 } },
    },
    {
      why: "one in the field's own zone",
      better: {},
      worse: { grid: { ...aScene().grid, epsg: 32632, originX: 699_960 } },
    },
    { why: 'the one with less nodata', better: { nodataPercent: 1 }, worse: { nodataPercent: 2 } },
    { why: 'the lower tile id of equals', better: {}, worse: { tile: '33UZZ' } },
  ])('of overlapping tiles begin with $why', ({ better, worse }) => {
    const scenes = [
      aScene({ ...worse, id: 'second', tile: worse.tile ?? '33UTP' }),
      aScene({ ...better, id: 'first' }),
    ];
    expect(idsOf(sceneDays(scenes, place))).toEqual([[['first', 'second']]]);
  });

  test('never mix two overpasses of a day, nor two satellites within minutes', () => {
    const later = aScene({ id: 'later', takenAt: '2026-06-17T11:45:59.000Z', datatake: 'GS2B_20260617T114559_043002' });
    const tandem = aScene({ id: 'tandem', platform: 'sentinel-2c', takenAt: '2026-06-17T10:06:29.000Z', datatake: '' });
    expect(idsOf(sceneDays([later, tandem, aScene(), neighbour], place))).toEqual([
      [[aScene().id, 'neighbour'], ['tandem'], ['later']],
    ]);
  });

  test('leave out a scene that shows nothing of the field, whatever its bounding box says', () => {
    const aside = aScene({ id: 'aside', footprint: boxPolygon([13.2, 47.75, 13.77, 48.76]) });
    expect(sceneDays([aside], place)).toEqual([]);
  });

  test('on both sides of midnight are one overpass of the better tile’s day', () => {
    const before = aScene({ id: 'before', takenAt: '2026-06-17T23:59:58.000Z' });
    const after = aScene({ id: 'after', takenAt: '2026-06-18T00:00:12.000Z', tile: '33UUQ', nodataPercent: 9 });
    const days = sceneDays([after, before], place);
    expect(idsOf(days)).toEqual([[['before', 'after']]]);
    expect(days[0]?.date).toBe('2026-06-17');
  });

  test('do not depend on the order in which the catalogue lists them', () => {
    const all = [aScene(), inCollection1, neighbour, aScene({ id: 'x', baseline: '04.00', tile: '33UTP' })];
    const expected = idsOf(sceneDays(all, place));
    fc.assert(
      fc.property(fc.shuffledSubarray(all, { minLength: all.length }), (shuffled) => {
        expect(idsOf(sceneDays(shuffled, place))).toEqual(expected);
      }),
    );
  });
});
