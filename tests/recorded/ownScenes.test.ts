import { expect, test } from '@jest/globals';
import { SceneLibrary } from '../../shared/scenes/library/sceneLibrary.js';
import { sceneRegionOf } from '../../shared/scenes/library/sceneRegion.js';
import { interiorPointOf } from '../../shared/geo/shapes/interiorPoint.js';
import type { Catalogue } from '../../shared/scenes/imagerySettings.js';
import { dayOfScene, type Scene } from '../../shared/scenes/item/scene.js';
import { isUsable, sceneOfItem } from '../../shared/scenes/item/sceneOfItem.js';
import { foundFeature } from '../../shared/scenes/item/stacSchemas.js';
import { StacClient } from '../../shared/scenes/stac/stacClient.js';
import { searchRegion } from '../../shared/boundary/stack/searchRegion.js';
import { PaintedReader } from '../imagery/paintedReader.js';
import { describeGenuine, recordedAnswer, recordedIn, type Recorded } from './genuine.js';

const entries = recordedIn('stac').filter(({ kind }) => kind === 'item');
const catalogueOf = ({ source = '' }: Recorded): Catalogue =>
  source === 'planetary-computer' ? 'planetary-computer' : 'earth-search';

/** The genuine items that describe a scene, as it is read. */
const genuine = entries.flatMap((entry) => {
  const item = recordedAnswer('stac', entry.file);
  const feature = foundFeature(item);
  const scene = feature && sceneOfItem(catalogueOf(entry), feature);
  return scene !== undefined && isUsable(scene) ? [{ ...entry, item, scene }] : [];
});

/** The search region of a job somewhere inside of what a scene shows, on the scene's day. */
function lookAt({ footprint, ...scene }: Scene) {
  const inside = interiorPointOf(footprint);
  if (inside === undefined) throw new Error('The outline of the scene encloses no area.');
  const day = dayOfScene(scene);
  return { region: sceneRegionOf(searchRegion(inside.position, 0).box), days: { from: day, to: day } };
}

describeGenuine('items of catalogues as scenes of a region', genuine, () => {
  test.each(genuine)('$file is a scene of a field that it shows', async ({ item, scene, ...entry }) => {
    const page = { type: 'FeatureCollection', features: [item], links: [] };
    const catalogue = new StacClient({
      ...{ catalogue: catalogueOf(entry), url: 'https://catalogue.example' },
      getJson: () => Promise.resolve(page),
    });
    const library = new SceneLibrary({ catalogue, reader: new PaintedReader(), log: () => undefined });
    const { region, days } = lookAt(scene);
    const { signal } = new AbortController();
    const listed = await library.scenesOf(region, days, signal);
    expect(listed.map(({ scene: { id } }) => id)).toEqual([scene.id]);
    expect(listed[0]?.pass).toMatch(/^sentinel-2[a-d] \d{8}T\d{6}$/);
    expect(Object.keys(await library.cutsOf(scene, ['blue'], region, signal))).toEqual(['blue']);
  });
});
