import { describe, expect, test } from '@jest/globals';
import type { UnusableScene } from '../../../shared/scenes/item/scene.js';
import { foundProducts } from '../../../shared/imagery/discovery/foundProducts.js';
import { aScene, FIELD_BOX } from '../builders.js';

const unusable = (collection: string): UnusableScene => {
  const { grid: _grid, offset: _offset, files: _files, ...granule } = aScene({ id: collection, collection });
  return { ...granule, fault: 'no files' };
};
const neighbour = aScene({ id: 'neighbour', tile: '33UVP' });
const tilesShown = (...scenes: readonly (UnusableScene | ReturnType<typeof aScene>)[]) =>
  foundProducts(
    scenes.map((scene) => ({ scene })),
    { tile: '33UUP', wanted: [{ bbox: FIELD_BOX }], today: '2026-06-30' },
  ).map(({ scenes: [best] }) => best?.tile);

describe('the products of a tile that a search finds', () => {
  test('are borrowed of a neighbour where the tile has nothing of the datastrip that can be used', () => {
    expect(tilesShown(neighbour)).toEqual(['33UVP']);
    expect(tilesShown(unusable('sentinel-2-l2a'), neighbour)).toEqual([undefined, '33UVP']);
    expect(tilesShown(aScene(), neighbour)).toEqual(['33UUP']);
  });

  test('are not borrowed while the catalogue lists an item of the tile that no product has, as in the nights', () => {
    const both = [unusable('sentinel-2-l2a'), unusable('sentinel-2-c1-l2a')];
    expect(tilesShown(...both, neighbour)).toEqual([undefined]);
  });
});
