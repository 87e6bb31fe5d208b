import { describe, expect, test } from '@jest/globals';
import type { DataManagerScene } from '../../../shared/jobs/dataManager/scenes.js';
import { chosenScenes, passKey } from '../../../shared/boundary/stack/chosenScenes.js';

const aScene = (date: string, changes: Partial<DataManagerScene> = {}): DataManagerScene => ({
  id: `scene-${date}`,
  date,
  cloudCoverPercent: 10,
  files: ['B02', 'B03', 'B04', 'B08', 'SCL'].map((name) => ({ name, resolution: 10, filePath: `${date}/${name}` })),
  ...changes,
});
const datesOf = (scenes: readonly { readonly scene: DataManagerScene }[]): string[] =>
  scenes.map(({ scene }) => scene.date);

describe('the scenes that are looked at', () => {
  test('are those of the least clouded passes, the newest of equals first', () => {
    const scenes = [
      aScene('2026-06-01', { cloudCoverPercent: 90 }),
      aScene('2026-06-03', { cloudCoverPercent: 5 }),
      aScene('2026-06-06'),
      aScene('2026-06-08'),
    ];
    const { chosen, passed } = chosenScenes(scenes, 3);
    expect(datesOf(chosen)).toEqual(['2026-06-03', '2026-06-08', '2026-06-06']);
    expect(passed).toEqual([
      { sceneIds: ['scene-2026-06-01'], date: '2026-06-01', kind: 'spare', reason: '3 less clouded days were used' },
    ]);
  });

  test('without a cloud cover count as half clouded', () => {
    const { cloudCoverPercent: _none, ...unknown } = aScene('2026-06-02');
    const scenes = [
      unknown,
      aScene('2026-06-01', { cloudCoverPercent: 60 }),
      aScene('2026-06-03', { cloudCoverPercent: 40 }),
    ];
    expect(datesOf(chosenScenes(scenes, 3).chosen)).toEqual(['2026-06-03', '2026-06-02', '2026-06-01']);
  });

  test('of one pass count as one and come together', () => {
    const itemId = (tile: string): string => `S2B_MSIL2A_20260603T103629_N0511_R008_${tile}_20260603T132001`;
    const scenes = [
      aScene('2026-06-03', { id: 'a', itemId: itemId('T32UMC') }),
      aScene('2026-06-03', { id: 'b', itemId: itemId('T32UNC') }),
      aScene('2026-06-08', { cloudCoverPercent: 50 }),
    ];
    expect(chosenScenes(scenes, 1).chosen.map(({ scene }) => scene.id)).toEqual(['a', 'b']);
    // The clearer of its scenes speaks for a pass: that is where the field may be seen.
    const clouded = scenes.map((scene) => (scene.id === 'a' ? { ...scene, cloudCoverPercent: 95 } : scene));
    expect(chosenScenes(clouded, 1).chosen.map(({ scene }) => scene.id)).toEqual(['a', 'b']);
  });

  test('have the finest file of each image, and every image of visible light', () => {
    const files = [
      { name: 'B02', resolution: 20, filePath: 'coarse' },
      { name: 'B02', resolution: 10, filePath: 'fine' },
      { name: 'b03', resolution: 10, filePath: 'small letters' },
      { name: 'B04', resolution: 10, filePath: 'red' },
      { name: 'NDVI', resolution: 10, filePath: 'unasked' },
    ];
    const { chosen, passed } = chosenScenes(
      [aScene('2026-06-03', { files }), aScene('2026-06-08', { files: files.slice(0, 3) })],
      5,
    );
    expect(chosen).toHaveLength(1);
    expect(Object.entries(chosen[0]!.files).map(([image, file]) => [image, file.filePath])).toEqual([
      ['B02', 'fine'],
      ['B03', 'small letters'],
      ['B04', 'red'],
    ]);
    expect(passed).toMatchObject([{ date: '2026-06-08', kind: 'lost' }]);
  });
});

describe('a pass', () => {
  test.each([
    ['S2A_MSIL2A_20260603T103629_N0511_R008_T32UMC_20260603T132001', 'S2A_MSIL2A_20260603T103629'],
    ['S2C_MSIL1C_20260603T103629_N0511_R008_T32UMC_20260603T132001.SAFE', 'S2C_MSIL1C_20260603T103629'],
    ['a name of another kind', '2026-06-03'],
    ['copy of S2A_MSIL2A_20260603T103629_N0511_R008_T32UMC_20260603T132001', '2026-06-03'],
    [undefined, '2026-06-03'],
  ])('of %p is %s', (itemId, expected) => {
    expect(passKey({ date: '2026-06-03', ...(itemId === undefined ? {} : { itemId }) })).toBe(expected);
  });
});
