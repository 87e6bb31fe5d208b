import { BANDS_OF_LAYER, type FieldScene, type LayerName, type RenderedLayer } from './layers.js';
import { ndviLayer, scoutingLayer, trueColorLayer, vegetationLayer } from './formulas.js';

const RENDER: Readonly<Record<LayerName, (scene: FieldScene) => RenderedLayer | undefined>> = {
  ndvi: ndviLayer,
  vegetation: vegetationLayer,
  scouting: scoutingLayer,
  'true-color': trueColorLayer,
};

/**
 * Makes one layer of one field on one date.
 *
 * @returns undefined when not one pixel of the field has data
 * @throws RangeError when a band it needs is missing or of another size
 */
export function renderLayer(name: LayerName, scene: FieldScene): RenderedLayer | undefined {
  const length = scene.width * scene.height;
  for (const band of BANDS_OF_LAYER[name]) {
    if (scene.bands[band]?.length !== length) throw new RangeError(`${name} needs ${length} pixels of ${band}.`);
  }
  return RENDER[name](scene);
}
