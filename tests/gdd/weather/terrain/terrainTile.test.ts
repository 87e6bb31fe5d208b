import { describe, expect, test } from '@jest/globals';
import { terrainTileName, terrainTileOf } from '../../../../shared/gdd/weather/terrain/terrainTile.js';

const nameAt = (latitude: number, longitude: number): string =>
  terrainTileName(terrainTileOf({ latitude, longitude })).replace(/^Copernicus_DSM_COG_30_|_DEM$/g, '');

describe('the terrain tile of a place', () => {
  test('is named in the bucket by resolution and south-west corner', () => {
    expect(terrainTileName({ south: 46, west: 8 })).toBe('Copernicus_DSM_COG_30_N46_00_E008_00_DEM');
  });

  test.each([
    { why: 'north and east', latitude: 46.5, longitude: 8.25, name: 'N46_00_E008_00' },
    {
      why: 'west: the corner is the next whole degree westward',
      latitude: 42.95,
      longitude: -87.9,
      name: 'N42_00_W088_00',
    },
    { why: 'south: and southward', latitude: -32.44, longitude: -61.3, name: 'S33_00_W062_00' },
    { why: 'on the corner itself', latitude: 47, longitude: 9, name: 'N46_00_E009_00' },
    {
      why: 'half a pixel north of a side: still its own row',
      latitude: 46.00042,
      longitude: 8.5,
      name: 'N46_00_E008_00',
    },
    {
      why: 'nearer to the southern side: the row was cut off',
      latitude: 46.00041,
      longitude: 8.5,
      name: 'N45_00_E008_00',
    },
    {
      why: 'nearer to the eastern side: the column was cut off',
      latitude: 46.5,
      longitude: 8.99959,
      name: 'N46_00_E009_00',
    },
    { why: 'in the north, where columns are wider', latitude: 60.5, longitude: 17.9991, name: 'N60_00_E017_00' },
    { why: 'and there nearer to the eastern side', latitude: 60.5, longitude: 17.9992, name: 'N60_00_E018_00' },
    { why: 'at the antimeridian', latitude: -17.5, longitude: 179.9999, name: 'S18_00_W180_00' },
  ])('$why: $latitude, $longitude lies in $name', ({ latitude, longitude, name }) => {
    expect(nameAt(latitude, longitude)).toBe(name);
  });
});
