import { describe, expect, test } from '@jest/globals';
import { chosenScenes } from '../../../shared/boundary/stack/chosenScenes.js';
import { dayOfScene } from '../../../shared/scenes/item/scene.js';
import type { RegionScene } from '../../../shared/scenes/library/sceneLibrary.js';
import { aScene } from '../../imagery/builders.js';

const onDay = (date: string, changes: Partial<RegionScene> & { readonly id?: string } = {}): RegionScene => {
  const { id = `scene-${date}`, ...more } = changes;
  return { scene: aScene({ id, takenAt: `${date}T10:05:59Z` }), pass: date, cloudPercent: 10, ...more };
};
const datesOf = (scenes: readonly RegionScene[]): string[] => scenes.map(({ scene }) => dayOfScene(scene));

describe('the scenes that are looked at', () => {
  test('are those of the least clouded passes, the newest of equals first', () => {
    const scenes = [
      onDay('2026-06-01', { cloudPercent: 90 }),
      onDay('2026-06-03', { cloudPercent: 5 }),
      onDay('2026-06-06'),
      onDay('2026-06-08'),
    ];
    const { chosen, passed } = chosenScenes(scenes, 3);
    expect(datesOf(chosen)).toEqual(['2026-06-03', '2026-06-08', '2026-06-06']);
    expect(passed).toEqual([
      { sceneIds: ['scene-2026-06-01'], date: '2026-06-01', kind: 'spare', reason: '3 less clouded days were used' },
    ]);
  });

  test('without a cloud cover count as half clouded', () => {
    const { cloudPercent: _none, ...unknown } = onDay('2026-06-02');
    const scenes = [unknown, onDay('2026-06-01', { cloudPercent: 60 }), onDay('2026-06-03', { cloudPercent: 40 })];
    expect(datesOf(chosenScenes(scenes, 3).chosen)).toEqual(['2026-06-03', '2026-06-02', '2026-06-01']);
  });

  test('of one pass count as one and come together', () => {
    const scenes = [
      onDay('2026-06-03', { id: 'a' }),
      onDay('2026-06-03', { id: 'b' }),
      onDay('2026-06-08', { cloudPercent: 50 }),
    ];
    expect(chosenScenes(scenes, 1).chosen.map(({ scene }) => scene.id)).toEqual(['a', 'b']);
    // The clearer of its scenes speaks for a pass: that is where the field may be seen.
    const clouded = scenes.map((each) => (each.scene.id === 'a' ? { ...each, cloudPercent: 95 } : each));
    expect(chosenScenes(clouded, 1).chosen.map(({ scene }) => scene.id)).toEqual(['a', 'b']);
  });
});
