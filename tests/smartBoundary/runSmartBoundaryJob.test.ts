import { afterEach, describe, expect, test } from '@jest/globals';
import { boundaryWorld, type BoundaryWorld } from './jobUnderTest.js';

let world: BoundaryWorld;
afterEach(() => world.close());

describe('a Smart Boundary job', () => {
  test('goes from a search field over an ingest to a boundary that holds the point', async () => {
    world = await boundaryWorld();
    await world.create();
    await world.drain();
    expect(await world.job()).toMatchObject({ status: 'SUCCEEDED', attempt: 1 });
    expect(world.record()).toMatchObject({ kind: 'SMART_BOUNDARY', imageStartDate: '2026-06-01' });
  });
});
