import { describe, expect, test } from '@jest/globals';
import { passOf, scenesOfPass } from '../../../shared/scenes/library/scenePass.js';
import { sceneRegionOf } from '../../../shared/scenes/library/sceneRegion.js';
import type { Scene } from '../../../shared/scenes/item/scene.js';
import { RasterError } from '../../../shared/raster/tiff/rasterError.js';
import { aScene, FIELD_BOX } from '../../imagery/builders.js';
import { clearFields, PaintedReader, type Paint } from '../../imagery/paintedReader.js';

const region = sceneRegionOf(FIELD_BOX);
const middle = region.grid.originX + region.grid.width * 5;
const signal = new AbortController().signal;

/** Ground west or east of the middle of the region, or all of it, by the id of the scene. */
const halves: Paint = (scene, file, place) => {
  const isShown = scene.id === 'whole' || (scene.id === 'west') === place[0] < middle;
  return isShown && scene.id !== 'nothing' ? clearFields(scene, file, place) : 0;
};

async function seen(ids: readonly string[], reader = new PaintedReader(halves)) {
  const scenes = ids.map((id) => aScene({ id }));
  const shown = await scenesOfPass(scenes, { region, reader, signal });
  return { shown, ids: shown.map(({ scene }) => scene.id), read: reader.reads.map(({ scene }) => scene) };
}

describe('the scenes of one pass that show a region', () => {
  test('are those up to the one with which all of it is shown; no further one is read', async () => {
    expect(await seen(['west', 'east', 'whole'])).toMatchObject({ ids: ['west', 'east'], read: ['west', 'east'] });
    expect(await seen(['whole', 'west'])).toMatchObject({ ids: ['whole'], read: ['whole'] });
  });

  test('leave out one that shows nothing, or nothing more than those before it', async () => {
    const older = [aScene({ id: 'west' }), aScene({ id: 'west', baseline: '02.14' }), aScene({ id: 'east' })];
    const reader = new PaintedReader(halves);
    const shown = await scenesOfPass(older, { region, reader, signal });
    expect(shown.map(({ scene }) => scene.baseline)).toEqual(['05.11', '05.11']);
    expect((await seen(['nothing', 'east'])).ids).toEqual(['east']);
  });

  test('hold one whose classification is broken, so that its loss is told, and go on to the next', async () => {
    const reader = new PaintedReader(halves);
    reader.faults.set('west', new RasterError('corrupt', 'broken'));
    const { shown, ids } = await seen(['west', 'whole'], reader);
    expect(ids).toEqual(['west', 'whole']);
    expect(shown[0]).toEqual({ scene: expect.objectContaining({ id: 'west' }), classes: undefined });
  });

  test('hold one whose classification is refused, with the refusal', async () => {
    const reader = new PaintedReader(halves);
    const refusal = new RasterError('refused', 'the file is not there (404)', { isTransient: true });
    reader.faults.set('west', refusal);
    expect((await seen(['west', 'whole'], reader)).shown).toMatchObject([{ refusal }, { scene: { id: 'whole' } }]);
  });

  test('are not told while the host of the files is away', async () => {
    const reader = new PaintedReader(halves);
    const away = new RasterError('unavailable', 'the server answered 503', { isTransient: true });
    reader.faults.set('west', away);
    await expect(seen(['west', 'whole'], reader)).rejects.toBe(away);
  });
});

describe('the name of a pass', () => {
  const named = (changes: Partial<Scene>, pass: readonly Partial<Scene>[] = [changes]): string =>
    passOf(aScene(changes), pass.map(aScene));

  test('names satellite and start of the datatake', () => {
    expect(named({})).toBe('sentinel-2b 20260617T100559');
    expect(named({ platform: 'sentinel-2d' })).toMatch(/^sentinel-2d /);
  });

  test('has one start for the whole pass, also where an item does not name its datatake', () => {
    const pass = [{ datatake: '' }, { id: 'b', datatake: 'GS2B_20260617T100031_043001' }];
    expect(pass.map((scene) => named(scene, pass))).toEqual(Array(2).fill('sentinel-2b 20260617T100031'));
  });

  test('has the time of the best scene where no item names its datatake', () => {
    const pass = [
      { datatake: '', takenAt: '2026-06-17T10:05:59.024Z' },
      { datatake: '', takenAt: '2026-06-17T10:06:13Z' },
    ];
    expect(pass.map((scene) => named(scene, pass))).toEqual(Array(2).fill('sentinel-2b 20260617T100559'));
  });

  test('is the day where the catalogue does not name the satellite', () => {
    expect(named({ platform: '' })).toBe('2026-06-17');
    expect(named({ platform: 'landsat-8' })).toBe('2026-06-17');
  });
});
