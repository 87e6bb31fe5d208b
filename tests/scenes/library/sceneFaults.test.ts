import { describe, expect, test } from '@jest/globals';
import { DataManagerError } from '../../../shared/jobs/dataManager/dataManager.js';
import { sceneFault } from '../../../shared/scenes/library/sceneFaults.js';
import { CatalogueError } from '../../../shared/scenes/stac/catalogueError.js';
import { EgressRefused } from '../../../shared/kit/outbound/egressRule.js';
import { RasterError } from '../../../shared/raster/tiff/rasterError.js';

describe('an error of scenes, as jobs hear of it', () => {
  const refusedAddress = new EgressRefused('the host is not in IMAGERY_HOSTS');
  test.each([
    ['a catalogue that is away', new CatalogueError('unavailable', 'no answer'), 'unavailable'],
    ['a catalogue that refuses a question', new CatalogueError('refused', 'answered 400'), 'unavailable'],
    ['an answer of the catalogue that can’t be used', new CatalogueError('invalid', 'no JSON'), 'unavailable'],
    ['a host that is away', new RasterError('unavailable', '503', { isTransient: true }), 'unavailable'],
    ['a file that was replaced meanwhile', new RasterError('changed', '412', { isTransient: true }), 'unavailable'],
    [
      'an address that must not be called',
      new RasterError('unsupported', 'x', { cause: refusedAddress }),
      'unavailable',
    ],
    ['a file that its host refuses', new RasterError('refused', '404', { isTransient: true }), 'bad_request'],
    ['a broken file', new RasterError('corrupt', 'a block'), 'bad_request'],
    ['a file of another kind', new RasterError('unsupported', 'JPEG'), 'bad_request'],
    ['a file that is too large', new RasterError('too_large', 'a bomb'), 'bad_request'],
  ] as const)('%s', (_what, error, kind) => {
    const fault = sceneFault(error);
    expect(fault).toBeInstanceOf(DataManagerError);
    expect(fault).toMatchObject({ kind, cause: error });
  });

  test('hands on how long a catalogue asks to wait', () => {
    const throttled = new CatalogueError('unavailable', 'answered 429', { retryAfterSeconds: 90 });
    expect(sceneFault(throttled)).toMatchObject({ kind: 'unavailable', retryAfterSeconds: 90 });
  });

  test('stays as it is when it is another', () => {
    const error = new RangeError('a mistake of ours');
    expect(sceneFault(error)).toBe(error);
  });
});
