import { describe, expect, test } from '@jest/globals';
import { renderScene, type RenderedScene } from '../../tools/scenes/renderScene.js';
import { drawnOnce } from './drawnScenes.js';

const window = { epsg: 32615, originX: 500_000, originY: 4_595_000, width: 12, height: 8 };

describe('a synthetic scene of the tests', () => {
  test('that was drawn before is the same to the pixel, and is not drawn again', () => {
    const order = { ...window, date: '2026-06-08' };
    const draw = (): RenderedScene => renderScene(order, { cloudFraction: 0.4 });
    expect(drawnOnce(order, draw)).toEqual(draw());
    const never = (): RenderedScene => {
      throw new Error('It was drawn again.');
    };
    expect(drawnOnce(order, never)).toEqual(draw());
    expect(() => drawnOnce({ ...order, date: '2026-06-09' }, never)).toThrow('drawn again');
  });
});
