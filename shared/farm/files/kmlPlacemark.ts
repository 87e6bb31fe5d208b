import type { Polygon, Ring } from '../../geo/shapes/geoJson.js';
import { ringOf } from './kmlRing.js';

/** A placemark of a KML file. */
export interface KmlPlacemark {
  /** From 0, in the order of the file; places and paths are counted too. */
  readonly index: number;
  /** Its name and what is said of it; numbers and truth where the file has their types. */
  readonly properties: Readonly<Record<string, string | number | boolean>>;
  /** Its polygons, those of collections too, as the file has them: `partsOfPlacemark` reads them. */
  readonly polygons: readonly KmlPolygon[];
  /** Why it isn't read: the end of a sentence. */
  readonly excess: string | undefined;
}

/** The texts of the coordinates of rings. */
interface KmlPolygon {
  readonly outer: readonly string[];
  readonly inner: readonly string[];
}

/** What a placemark shows; no parts where it has a fault, a sentence. */
interface PlacemarkParts {
  readonly parts: readonly Polygon['coordinates'][];
  readonly fault: string | undefined;
}

/** Longer texts are no names. */
const MOST_TEXT = 500;
const MEGA = 1024 * 1024;
/** Characters of all coordinates of a placemark: 100,000 corners of 80. */
const MOST_COORDINATES = 8 * MEGA;
/** Of a placemark: 100,000 corners make 25,000 of each at most. */
const MOST_POLYGONS_AND_RINGS = 50_000;
/** Characters of its properties, their names included: thousands of times what is kept of them. */
const MOST_PROPERTIES = 2 * MEGA;
/** How a placemark is drawn, and what is said of it at length, is nothing of the field. */
const OF_THE_PICTURE = /^(visibility|open|description|snippet|tessellate|extrude|drawOrder|icon|altitude.*|gx:.*)$/i;
const NUMBER_TYPES = ['int', 'uint', 'short', 'ushort', 'float', 'double'];

/** A polygon whose rings are being read. */
interface OpenPolygon {
  readonly outer: string[];
  readonly inner: string[];
}

/** A placemark that is being read. */
export class OpenPlacemark {
  readonly #index: number;
  readonly #values = new Map<string, string | number | boolean>();
  readonly #polygons: OpenPolygon[] = [];
  #coordinates = 0;
  #polygonsAndRings = 0;
  #said = 0;
  #excess: string | undefined;

  constructor(index: number) {
    this.#index = index;
  }

  /** @param type that of a schema; undefined for text */
  addValue(key: string, text: string, type?: string): void {
    const value = text.trim();
    if (key === '' || value === '' || value.length > MOST_TEXT || OF_THE_PICTURE.test(key)) return;
    this.#said += key.length + value.length;
    if (this.#said <= MOST_PROPERTIES) this.#values.set(key, typedValue(value, type));
    else this.#exceed(`has more than ${MOST_PROPERTIES / MEGA} MB of properties; leave out what a field does not need`);
  }

  beginPolygon(): void {
    if (this.#takesOneMore()) this.#polygons.push({ outer: [], inner: [] });
  }

  /** Of some more characters of coordinates. @returns false where they are more than a field has */
  hasRoom(characters: number): boolean {
    this.#coordinates += characters;
    if (this.#coordinates > MOST_COORDINATES)
      this.#exceed(`has more than ${MOST_COORDINATES / MEGA} MB of coordinates; simplify it`);
    return this.#excess === undefined;
  }

  /** @param coordinates text of a ring of the polygon that was begun last */
  addRing(side: keyof OpenPolygon, coordinates: string): void {
    if (coordinates.trim() !== '' && this.#takesOneMore()) this.#polygons.at(-1)?.[side].push(coordinates);
  }

  #takesOneMore(): boolean {
    this.#polygonsAndRings += 1;
    if (this.#polygonsAndRings > MOST_POLYGONS_AND_RINGS)
      this.#exceed(`has more than ${MOST_POLYGONS_AND_RINGS.toLocaleString('en')} polygons and rings; simplify it`);
    return this.#excess === undefined;
  }

  ended(): KmlPlacemark {
    return {
      index: this.#index,
      properties: Object.fromEntries(this.#values),
      polygons: this.#excess === undefined ? this.#polygons : [],
      excess: this.#excess,
    };
  }

  #exceed(why: string): void {
    this.#excess ??= why;
    this.#polygons.length = 0;
  }
}

/** Reads the polygons of a placemark. Large ones take long: beside the event loop, where there is one to share. */
export function partsOfPlacemark({ index, properties, polygons, excess }: KmlPlacemark): PlacemarkParts {
  const read = excess ?? readPolygons(polygons);
  if (typeof read !== 'string') return { parts: read, fault: undefined };
  const name = String(properties['name'] ?? `number ${index + 1}`);
  return { parts: [], fault: `The placemark ${name.slice(0, 60)} ${read}.` };
}

/** @returns else what is wrong with them: the end of a sentence */
function readPolygons(polygons: readonly KmlPolygon[]): PlacemarkParts['parts'] | string {
  const parts: Ring[][] = [];
  for (const { outer, inner } of polygons) {
    const rings: Ring[] = [];
    for (const text of [...outer, ...inner]) {
      const ring = ringOf(text);
      if (typeof ring === 'string') return ring;
      if (ring !== undefined) rings.push(ring);
    }
    parts.push(rings);
  }
  return faultOf(polygons) ?? parts;
}

function faultOf(polygons: readonly KmlPolygon[]): string | undefined {
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
