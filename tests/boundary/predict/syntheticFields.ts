import { SceneRenderer, type SceneOptions } from '../../../tools/scenes/renderScene.js';
import { poleOf, wholeFields } from '../../../tools/scenes/seenFields.js';
import type { Field } from '../../../tools/scenes/farmland.js';
import type { BoundaryInput, BoundaryScene } from '../../../shared/boundary/window/boundaryInput.js';
import type { Grid } from '../../../shared/geo/grid/grid.js';
import { utmProjection } from '../../../shared/geo/grid/utm.js';
import { drawnOnce } from '../../support/drawnScenes.js';

const epsg = 32632;

/** A window of synthetic farmland, its scenes and the fields that lie wholly in it. */
export interface SyntheticPlace {
  readonly grid: Grid;
  readonly scenes: readonly BoundaryScene[];
  readonly fields: readonly Field[];
}

export interface PlaceOptions extends SceneOptions {
  readonly country?: number;
  readonly side?: number;
  readonly dates?: readonly string[];
  readonly originX?: number;
  readonly originY?: number;
}

/** How uneven fields are within where a test is about something else. */
export const evenFields = 0.4;

export function aPlace({
  country = 7,
  side = 96,
  dates = ['2025-06-12'],
  originX = 602_000,
  originY = 5_204_000,
  ...options
}: PlaceOptions = {}): SyntheticPlace {
  const renderer = new SceneRenderer(epsg, { seed: country });
  const window = { originX, originY, width: side, height: side };
  const scenes = dates.map((date) => {
    const look = { cloudFraction: 0, roughness: evenFields, ...options };
    const draw = () => renderer.render(window, date, look);
    const { bands, scl } = drawnOnce({ epsg, country, window, date, look }, draw);
    return { date, sceneIds: [`S2_${date}`], bands, scl };
  });
  const box = [originX, originY - 10 * side, originX + 10 * side, originY] as const;
  return {
    grid: { epsg, pixelWidth: 10, pixelHeight: 10, ...window },
    scenes,
    fields: wholeFields(renderer.coverOf(window), box),
  };
}

/** The input that asks for one field of a place, at the field's pole. */
export function inputAt({ grid, scenes }: SyntheticPlace, field: Field): BoundaryInput {
  return { grid, scenes, point: utmProjection(epsg).toPosition(poleOf(field).place) };
}
