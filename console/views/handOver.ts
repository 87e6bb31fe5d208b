import { signal } from '@preact/signals';
import type { MultiPolygon, Polygon } from '../../shared/geo/shapes/geoJson.js';

/** A field that one view hands to another to be enrolled. */
export interface HandedField {
  readonly fieldId: string;
  /** Such as its farm. */
  readonly group?: string | undefined;
  readonly geometry: Polygon | MultiPolygon;
}

/** What Add fields opens with; it takes it away. */
export const handedOver = signal<HandedField | undefined>(undefined);
