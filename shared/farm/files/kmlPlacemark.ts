import type { Polygon, Ring } from '../../geo/geoJson.js';
import { ringOf } from './kmlRing.js';

/** A placemark of a KML file. */
export interface KmlPlacemark {
  /** From 0, in the order of the file; places and paths are counted too. */
  readonly index: number;
  /** Its name and what is said of it; numbers and truth where the file has their types. */
  readonly properties: Readonly<Record<string, string | number | boolean>>;
  /** Its polygons, those of collections too; none where it has none, or a fault. */
  readonly parts: readonly Polygon['coordinates'][];
  /** Why its polygons can't be read: a sentence. */
  readonly fault: string | undefined;
}

/** Longer texts are no names. */
const MOST_TEXT = 500;
/** How a placemark is drawn, and what is said of it at length, is nothing of the field. */
const OF_THE_PICTURE = /^(visibility|open|description|snippet|tessellate|extrude|drawOrder|icon|altitude.*|gx:.*)$/i;
const NUMBER_TYPES = ['int', 'uint', 'short', 'ushort', 'float', 'double'];

/** A polygon whose rings are being read. */
interface OpenPolygon {
  readonly outer: Ring[];
  readonly inner: Ring[];
}

/** A placemark that is being read. */
export class OpenPlacemark {
  readonly #index: number;
  readonly #values = new Map<string, string | number | boolean>();
  readonly #polygons: OpenPolygon[] = [];
  #fault: string | undefined;

  constructor(index: number) {
    this.#index = index;
  }

  /** @param type that of a schema; undefined for text */
  addValue(key: string, text: string, type?: string): void {
    const value = text.trim();
    if (key === '' || value === '' || value.length > MOST_TEXT || OF_THE_PICTURE.test(key)) return;
    this.#values.set(key, typedValue(value, type));
  }

  beginPolygon(): void {
    this.#polygons.push({ outer: [], inner: [] });
  }

  /** @param coordinates text of a ring of the polygon that was begun last */
  addRing(side: keyof OpenPolygon, coordinates: string): void {
    const ring = ringOf(coordinates);
    if (typeof ring === 'string') this.#fault ??= ring;
    else if (ring !== undefined) this.#polygons.at(-1)?.[side].push(ring);
  }

  ended(): KmlPlacemark {
    const fault = this.#fault ?? faultOf(this.#polygons);
    const name = String(this.#values.get('name') ?? `number ${this.#index + 1}`);
    return {
      index: this.#index,
      properties: Object.fromEntries(this.#values),
      parts: fault === undefined ? this.#polygons.map(({ outer, inner }) => [...outer, ...inner]) : [],
      fault: fault === undefined ? undefined : `The placemark ${name.slice(0, 60)} ${fault}.`,
    };
  }
}

function faultOf(polygons: readonly OpenPolygon[]): string | undefined {
  const strange = polygons.find(({ outer }) => outer.length !== 1);
  if (strange === undefined) return undefined;
  return strange.outer.length === 0
    ? 'has a polygon without corners in its outer boundary'
    : `has a polygon with ${strange.outer.length} outer boundaries; draw each as a polygon`;
}

function typedValue(text: string, type: string | undefined): string | number | boolean {
  if (type === 'bool') return /^(1|true)$/i.test(text);
  const number = Number(text);
  // Beyond these numbers digits would be lost: such are ids, and no quantities.
  const isExact = !/^[+-]?\d+$/.test(text) || Number.isSafeInteger(number);
  return NUMBER_TYPES.includes(type ?? '') && Number.isFinite(number) && isExact ? number : text;
}
