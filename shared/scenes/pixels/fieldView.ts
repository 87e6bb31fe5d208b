import type { MultiPolygon } from '../../geo/shapes/geoJson.js';
import type { Grid, PixelWindow } from '../../geo/grid/grid.js';
import { limiter } from '../../kit/limiter.js';
import { mosaic } from '../../raster/mask/mosaic.js';
import type { Pixels } from '../../raster/tiff/pixels.js';
import { countSet, fieldMask, projectParts } from '../../geo/grid/polygonMask.js';
import { RasterError } from '../../raster/tiff/rasterError.js';
import { drawnOn, fieldWindowOf, placementIn, type FieldWindow } from './fieldWindow.js';
import type { SceneReader } from './pixelPorts.js';
import {
  classesAt10m,
  clearPixels,
  nearClasses,
  visibilityOf,
  type Classification,
  type Visibility,
} from '../layers/visibility.js';
import { bestVersions, granuleOf, gridOfFile, type Scene, type SceneFile } from '../item/scene.js';

/** A field to be looked at on one day. */
export interface FieldOrder {
  readonly geometry: MultiPolygon;
  /** The field's own, see `fieldGridOf`. */
  readonly grid: Grid;
  /** The overpasses of the day, their scenes in the order of `sceneDays`. */
  readonly overpasses: readonly (readonly Scene[])[];
}

/** A field in the scenes of one overpass. */
export interface FieldView {
  /** Scenes whose pixels are used, the main one first. */
  readonly scenes: readonly [Scene, ...Scene[]];
  /** Which pixels each of these scenes gives. */
  readonly given: ReadonlyMap<Scene, GivenPixels>;
  readonly window: FieldWindow;
  /** 1 inside the field, on the 10 m grid. */
  readonly mask: Uint8Array;
  /** Pixels inside the field. */
  readonly fieldPixels: number;
  /** 1 where the ground is seen. */
  readonly clear: Uint8Array;
  readonly visibility: Visibility;
}

/**
 * The pixels that a scene may give to a picture: beyond its datastrip a granule may hold any number, so its own
 * classification has to know them.
 */
export interface GivenPixels {
  /** 1 where its classification has data. */
  readonly known: Uint8Array;
  /**
   * 1 beside those, where only another scene's classification has data. Granules end within pixels of 20 m: there one has
   * the class and the other some of the bands' pixels.
   */
  readonly edge: Uint8Array;
}

/** Windows of one file to be read. */
export interface FileRequest {
  readonly scene: Scene;
  readonly file: SceneFile;
  readonly window: PixelWindow;
}

/** Files read at the same time: the four bands of a scene. */
const CONCURRENT_FILES = 4;

/**
 * Reads windows of many files, all windows of one file together.
 *
 * @returns one per request, in order; a fault for pixels that are broken for good
 */
export async function readFiles(
  reader: SceneReader,
  requests: readonly FileRequest[],
  signal: AbortSignal,
): Promise<readonly (Pixels | RasterError)[]> {
  const byFile = new Map<string, number[]>();
  requests.forEach(({ scene, file }, index) => {
    const url = scene.files[file];
    byFile.set(url, [...(byFile.get(url) ?? []), index]);
  });
  const answers: (Pixels | RasterError)[] = [];
  const reading = limiter(CONCURRENT_FILES);
  const readOne = async (indexes: readonly number[]): Promise<void> => {
    const wanted = indexes.flatMap((index) => requests[index] ?? []);
    const [first] = wanted;
    if (first === undefined) return;
    const windows = wanted.map(({ window }) => window);
    const read = await reader.read(first.scene, first.file, { windows, signal });
    indexes.forEach((index, position) => {
      answers[index] = read[position] ?? new RasterError('corrupt', `${first.scene.id}: pixels are missing`);
    });
  };
  await Promise.all([...byFile.values()].map((indexes) => reading(() => readOne(indexes))));
  return answers;
}

/** A field on its grid. */
type PlacedField = Pick<FieldView, 'window' | 'mask'>;

const classificationOf = ({ data, width, height }: Pixels): Classification => ({
  classes: data instanceof Uint8Array ? data : Uint8Array.from(data),
  width,
  height,
});

/** A scene and its classification on the field's grid. */
interface Picture {
  readonly scene: Scene;
  readonly pixels: Pixels;
  /** At 10 m. */
  readonly classes: Uint8Array;
}

/** Pixels of a mask that a picture has data for. */
function shownPixels(mask: Uint8Array, { classes }: Picture): number {
  let shown = 0;
  for (let index = 0; index < mask.length; index += 1) if (mask[index] === 1 && classes[index] !== 0) shown += 1;
  return shown;
}

/** What each picture gives. @param classes of all together, at 10 m */
function givenPixels(used: readonly Picture[], classes: Uint8Array): ReadonlyMap<Scene, GivenPixels> {
  return new Map(
    used.map((picture) => {
      const known = picture.classes.map((value) => Math.min(value, 1));
      const near = nearClasses(classificationOf(picture.pixels));
      const edge = near.map((isNear, index) => (isNear === 1 && known[index] === 0 && classes[index] !== 0 ? 1 : 0));
      return [picture.scene, { known, edge }];
    }),
  );
}

/** The version of a granule that shows most of the field; the first of equals. */
function fullest(versions: readonly Picture[], mask: Uint8Array): Picture | undefined {
  if (versions.length <= 1) return versions[0];
  const shown = new Map(versions.map((picture) => [picture, shownPixels(mask, picture)]));
  return versions.toSorted((a, b) => (shown.get(b) ?? 0) - (shown.get(a) ?? 0))[0];
}

/** One field in the scenes of one overpass, while their classifications are read. */
class Look {
  readonly #field: PlacedField;
  /** In order of preference. */
  readonly #scenes: readonly Scene[];
  readonly #read = new Map<Scene, Picture | RasterError>();
  #used: readonly Picture[] = [];
  #missingPixels: number;

  constructor(field: PlacedField, scenes: readonly Scene[]) {
    this.#field = field;
    this.#scenes = scenes;
    this.#missingPixels = countSet(field.mask);
  }

  /** Whether some pixel of the field has data. */
  get showsField(): boolean {
    return this.#used.length > 0;
  }

  /**
   * The next reads: one scene after another until one can be read; when pixels of the field still lack data, the other
   * granules of the overpass, then the other versions. Empty when no read can add pixels.
   */
  next(): readonly FileRequest[] {
    const unread = this.#scenes.filter((scene) => !this.#read.has(scene));
    return this.#worthReading(unread).map((scene) => ({
      scene,
      file: 'scl',
      window: placementIn(gridOfFile(scene, 'scl'), this.#field.window.sclGrid).window,
    }));
  }

  #worthReading(unread: readonly Scene[]): readonly Scene[] {
    if (this.#pictures().length === 0) return unread.slice(0, 1);
    if (this.#missingPixels === 0) return [];
    const granules = new Set([...this.#read.keys()].map(granuleOf));
    const others = bestVersions(unread).filter((scene) => !granules.has(granuleOf(scene)));
    return others.length > 0 ? others : unread;
  }

  /** Adds the pixels of a scene, or the fault of reading them. */
  take(scene: Scene, read: Pixels | RasterError): void {
    if (read instanceof RasterError) {
      this.#read.set(scene, read);
      return;
    }
    const target = this.#field.window.sclGrid;
    const pixels = drawnOn(read, { file: gridOfFile(scene, 'scl'), target, by: 'nearest' });
    this.#read.set(scene, { scene, pixels, classes: classesAt10m(classificationOf(pixels)) });
    this.#choose();
  }

  /** The view, or the fault when no scene could be read. */
  view(): FieldView | RasterError {
    const used = this.#used.length > 0 ? this.#used : this.#pictures().slice(0, 1);
    const [main, ...others] = used.map(({ scene }) => scene);
    if (main === undefined) {
      const fault = [...this.#read.values()].find((read) => read instanceof RasterError);
      return fault ?? new RasterError('corrupt', 'no scene shows the field');
    }
    const { window, mask } = this.#field;
    const [first] = used;
    const pixels =
      used.length === 1 && first !== undefined
        ? first.pixels
        : mosaic(
            used.map((p) => p.pixels),
            0,
          );
    const classification = classificationOf(pixels);
    const clear = clearPixels(classification);
    const visibility = visibilityOf(classification, mask, clear);
    const given = givenPixels(used, classesAt10m(classification));
    return { scenes: [main, ...others], given, window, mask, fieldPixels: countSet(mask), clear, visibility };
  }

  #pictures(): readonly Picture[] {
    return this.#scenes.flatMap((scene) => {
      const read = this.#read.get(scene);
      return read === undefined || read instanceof RasterError ? [] : [read];
    });
  }

  /** Chooses the fullest picture of each granule, without those that add no pixels to the earlier ones. */
  #choose(): void {
    const pictures = this.#pictures();
    const missing = Uint8Array.from(this.#field.mask);
    const used: Picture[] = [];
    for (const granule of new Set(pictures.map(({ scene }) => granuleOf(scene)))) {
      const versions = pictures.filter(({ scene }) => granuleOf(scene) === granule);
      const picture = fullest(versions, this.#field.mask);
      if (picture === undefined || shownPixels(missing, picture) === 0) continue;
      used.push(picture);
      for (let index = 0; index < missing.length; index += 1) if (picture.classes[index] !== 0) missing[index] = 0;
    }
    this.#used = used;
    this.#missingPixels = countSet(missing);
  }
}

/** Reads for all looks together, round by round, until no look needs another read. */
async function readOn(reader: SceneReader, looks: readonly Look[], signal: AbortSignal): Promise<void> {
  for (;;) {
    const wanted = looks.flatMap((look) => look.next().map((request) => ({ look, request })));
    if (wanted.length === 0) return;
    const requests = wanted.map(({ request }) => request);
    const read = await readFiles(reader, requests, signal);
    wanted.forEach(({ look, request: { scene } }, index) => {
      look.take(scene, read[index] ?? new RasterError('corrupt', `${scene.id}: pixels are missing`));
    });
  }
}

function placed({ geometry, grid }: FieldOrder): PlacedField {
  return { window: fieldWindowOf(grid), mask: fieldMask(projectParts(geometry, grid.epsg), grid) };
}

/**
 * Looks at fields in their overpasses: the classification alone, all windows of a file together.
 *
 * Within the field's own zone the pixels are those of the scenes. Scenes of a neighbouring zone are drawn on the field's
 * grid when those of its own show nothing of it on that day.
 *
 * @returns for each order its views; a fault for an overpass of which no scene can be read
 */
export async function lookAt(
  reader: SceneReader,
  orders: readonly FieldOrder[],
  signal: AbortSignal,
): Promise<readonly (readonly (FieldView | RasterError)[])[]> {
  const fields = orders.map((order) => {
    const field = placed(order);
    const looksWhere = (isOwn: boolean): readonly Look[] =>
      order.overpasses
        .map((scenes) => scenes.filter(({ grid }) => (grid.epsg === order.grid.epsg) === isOwn))
        .filter(({ length }) => length > 0)
        .map((scenes) => new Look(field, scenes));
    return { own: looksWhere(true), neighbours: looksWhere(false) };
  });
  await readOn(
    reader,
    fields.flatMap(({ own }) => own),
    signal,
  );
  const unseen = fields.filter(({ own }) => !own.some(({ showsField }) => showsField));
  await readOn(
    reader,
    unseen.flatMap(({ neighbours }) => neighbours),
    signal,
  );
  return fields.map((field) => {
    const looks = unseen.includes(field) ? [...field.own, ...field.neighbours] : field.own;
    return looks.map((look) => look.view());
  });
}
