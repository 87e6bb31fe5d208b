import { describe, expect, test } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { isUsable } from '../../shared/imagery/sceneOfItem.js';
import { StacClient } from '../../shared/imagery/stacClient.js';
import type { Scene, UnusableScene } from '../../shared/imagery/scene.js';
import { boxPolygon } from './builders.js';

const FOLDER = '../shared/data/recorded/stac';
const isThere = existsSync(`${FOLDER}/INDEX.json`);
if (!isThere) process.stdout.write('No recorded answers of catalogues are here: reading them is skipped.\n');

interface Entry {
  readonly file: string;
  readonly kind: string;
  readonly source: string;
  readonly note: string;
}
const entries = isThere ? (JSON.parse(readFileSync(`${FOLDER}/INDEX.json`, 'utf8')) as readonly Entry[]) : [];

/** A recorded item as the only one of a page, a recorded page as the last one. */
async function scenesOf({ file, source }: Entry): Promise<readonly (Scene | UnusableScene)[]> {
  const recorded = JSON.parse(readFileSync(`${FOLDER}/${file}`, 'utf8')) as Record<string, unknown>;
  const features = recorded['type'] === 'Feature' ? [recorded] : recorded['features'];
  const client = new StacClient({
    catalogue: source === 'planetary-computer' ? 'planetary-computer' : 'earth-search',
    url: 'https://catalogue.example',
    getJson: () => Promise.resolve({ type: 'FeatureCollection', features, links: [] }),
  });
  return await client.search({ area: boxPolygon([0, 0, 1, 1]), from: '2015-01-01', to: '2030-01-01' });
}

(isThere ? describe : describe.skip)('recorded answers of catalogues', () => {
  const rows = entries.length > 0 ? entries : [{ file: 'none', kind: '', source: '', note: '' }];

  test.each(rows)('$file is read', async (entry) => {
    const scenes = await scenesOf(entry);
    expect(scenes.length).toBeGreaterThan(0);
    for (const scene of scenes) {
      // What can't be used says why in words, and no scene goes missing.
      if (!isUsable(scene)) {
        expect(scene.fault).toMatch(/asset|outline|projection|properties/);
        continue;
      }
      expect(scene.tile).toMatch(/^\d{2}[C-X][A-Z]{2}$/);
      // What the lattice of fields rests on. South of the equator corners are 40 m off the multiples of 60.
      expect([scene.grid.originX % 20, scene.grid.originY % 20]).toEqual([0, 0]);
      expect(scene.datastripStart).toMatch(/^(\d{8}T\d{6})?$/);
    }
  });

  test('are all usable but one that was cut down for a test, and the items of another product', async () => {
    const all = (await Promise.all(entries.map(scenesOf))).flat();
    const unusable = all.filter((scene): scene is UnusableScene => !isUsable(scene));
    expect(new Set(unusable.map(({ id }) => id))).toEqual(
      new Set([
        'S2A_54LWP_20250101_0_L2A',
        'S2B_24MVV_20250731_0_L1C',
        'S2B_24MWV_20250731_0_L1C',
        'S2B_24MXV_20250731_0_L1C',
      ]),
    );
    expect(all.length).toBeGreaterThan(100);
  });
});
