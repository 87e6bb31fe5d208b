import type { Grid } from '../../../../shared/geo/grid/grid.js';
import type { RenderedScene } from '../../../../tools/scenes/renderScene.js';

/** What is drawn: a window of one UTM zone on one day. */
export interface RenderOrder {
  readonly grid: Grid;
  readonly date: string;
  /** Share of the sky under cloud, 0–1. */
  readonly cloudFraction: number;
}

export type Render = (order: RenderOrder) => Promise<RenderedScene>;
