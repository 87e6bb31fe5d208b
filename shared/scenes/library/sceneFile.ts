import { Type } from 'typebox';
import type { SceneImage } from '../../jobs/dataManager/scenes.js';
import type { GeoBox } from '../place/footprint.js';
import type { SceneFile } from '../item/scene.js';
import { isValid } from '../../kit/validation/validator.js';

/** Images of a data manager by the catalogue's names of their files. */
export const fileOfImage = {
  B02: 'blue',
  B03: 'green',
  B04: 'red',
  B08: 'nir',
  SCL: 'scl',
} as const satisfies Readonly<Record<SceneImage, SceneFile>>;

export const sceneImages = Object.keys(fileOfImage) as readonly SceneImage[];

const cutFileSchema = Type.Object(
  {
    collection: Type.String(),
    id: Type.String(),
    image: Type.Enum([...sceneImages]),
    // A tuple of TypeBox has a keyword that JSON Schema 2020-12 does not know.
    box: Type.Unsafe<GeoBox>(Type.Array(Type.Number(), { minItems: 4, maxItems: 4 })),
  },
  { additionalProperties: false },
);

/** An image of a scene, cut to a box. */
export interface CutFile {
  readonly collection: string;
  readonly id: string;
  readonly image: SceneImage;
  readonly box: GeoBox;
}

/** The opaque name of a file. It holds all that is needed to read the file, so it outlives what this process has kept. */
export const pathOfFile = (file: CutFile): string => Buffer.from(JSON.stringify(file)).toString('base64url');

/** The file of an opaque name; undefined for a name that isn't one of ours. */
export function fileOfPath(path: string): CutFile | undefined {
  const file = jsonIn(path);
  return isValid(cutFileSchema, file) ? file : undefined;
}

function jsonIn(path: string): unknown {
  try {
    return JSON.parse(Buffer.from(path, 'base64url').toString('utf8'));
  } catch {
    return undefined; // a name that isn't JSON is not ours
  }
}
