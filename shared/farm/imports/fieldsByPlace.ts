import { idKeyOf, type Extent, type PackedShape } from '../land/land.js';
import type { LandPosition, PartyScope } from '../land/landPlace.js';
import type { LandStore } from '../land/landStore.js';
import type { PreparedLand } from './preparedFeature.js';

/** Fields of a party that are looked through: an attempt of an import reads them in some ten seconds. */
const MOST_FIELDS = 100_000;
const ROWS_A_READ = 1_000;
/** Fields that are remembered of one place, a metre wide. */
const MOST_OF_A_PLACE = 1_000;
/** Geometries of one box that are read: more than one field on a box is rare. */
const MOST_COMPARED = 10;
/** Degrees by which the boxes of the same land may differ; the comparison takes less. */
const MARGIN = 1e-6;
/** Steps of a degree by which corners of boxes are looked up. */
const STEPS_A_DEGREE = 100_000;
/** More than the steps of all latitudes. */
const STEPS_OF_A_ROW = 200 * STEPS_A_DEGREE;

/** Whether two geometries are the same land, however it was written; large ones are compared beside the event loop. */
export type SameLand = (one: PackedShape, other: PackedShape) => Promise<boolean>;

interface PlacePorts {
  readonly land: Pick<LandStore, 'findWhole' | 'page'>;
  readonly isSameLand: SameLand;
}

/** Whether two boxes may be those of the same land. */
export const isNearBox = (one: Extent['box'], other: Extent['box']): boolean =>
  one.every((side, index) => Math.abs(side - (other[index] ?? NaN)) <= MARGIN);

/**
 * The fields of a party by where they lie: a field that its file does not name is the one that is there on the same land,
 * however either was written.
 */
export class FieldsByPlace {
  readonly #ports: PlacePorts;
  readonly #scope: PartyScope;
  /** By the south-western corners of their boxes. */
  readonly #fields = new Map<number, PlacedField[]>();
  readonly #known = new Set<string>();

  private constructor(ports: PlacePorts, scope: PartyScope) {
    this.#ports = ports;
    this.#scope = scope;
  }

  static async read(ports: PlacePorts, scope: PartyScope): Promise<FieldsByPlace> {
    const places = new FieldsByPlace(ports, scope);
    let after: LandPosition | undefined;
    do {
      const rows = await ports.land.page(scope, { after, most: ROWS_A_READ });
      for (const { item } of rows) if (item.isDeleting !== true) places.#add(item.id, item.extent);
      after = rows.length < ROWS_A_READ ? undefined : rows.at(-1)?.at;
    } while (after !== undefined && places.#known.size < MOST_FIELDS);
    return places;
  }

  /** Features of a file, written together: those without a name have the ids of the fields that are there. */
  async named(features: readonly PreparedLand[]): Promise<readonly PreparedLand[]> {
    const named: PreparedLand[] = [];
    const unwritten = new Map<string, PackedShape>();
    for (const feature of features) {
      const { packed } = feature;
      if (feature.isUnnamed !== true || packed === undefined) {
        named.push(feature);
        continue;
      }
      const id = (await this.#idOf(feature, packed, unwritten)) ?? feature.id;
      unwritten.set(id, unwritten.get(id) ?? packed);
      this.#add(id, feature.extent);
      named.push({ ...feature, id });
    }
    return named;
  }

  /** The id of the field on the same land. Where the file was imported before, that is the feature's own. */
  async #idOf(
    { id: own, extent }: PreparedLand,
    packed: PackedShape,
    unwritten: ReadonlyMap<string, PackedShape>,
  ): Promise<string | undefined> {
    if (extent === undefined || this.#known.has(idKeyOf(own))) return own;
    const near = placesAround(extent).flatMap((place) => this.#fields.get(place) ?? []);
    const found = near.filter(({ box }) => isNearBox(box, extent.box));
    for (const { id } of found.slice(0, MOST_COMPARED)) {
      const there = unwritten.get(id) ?? (await this.#ports.land.findWhole({ ...this.#scope, id }))?.land.packed;
      if (there !== undefined && (await this.#ports.isSameLand(there, packed))) return id;
    }
    return undefined;
  }

  #add(id: string, extent: Extent | undefined): void {
    const key = idKeyOf(id);
    if (extent === undefined || this.#known.has(key)) return;
    this.#known.add(key);
    const { box } = extent;
    const place = placeOf(box[0], box[1]);
    const there = this.#fields.get(place);
    if (there === undefined) this.#fields.set(place, [{ id, box }]);
    else if (there.length < MOST_OF_A_PLACE) there.push({ id, box });
  }
}

/** A field, and the box around it. */
interface PlacedField extends Pick<Extent, 'box'> {
  readonly id: string;
}

const placeOf = (west: number, south: number): number =>
  Math.floor(west * STEPS_A_DEGREE) * STEPS_OF_A_ROW + Math.floor(south * STEPS_A_DEGREE);

/** The place of a box, and those beside it into which the same land may fall. */
function placesAround({ box: [west, south] }: Extent): readonly number[] {
  const margins = [-MARGIN, MARGIN];
  return [...new Set(margins.flatMap((x) => margins.map((y) => placeOf(west + x, south + y))))];
}
