import { promisify } from 'node:util';
import { gunzip, gzipSync } from 'node:zlib';
import type { Geometry, PackedShape } from './land.js';

const unpack = promisify(gunzip);
/** How the JSON of a geometry begins that has its type first. */
const BEGINNING = /^\{"type":"(?:Point|Polygon|MultiPolygon)","coordinates":\[/;
const BEGINNING_BYTES = 64;
/** The last bytes of gzip tell the length of the text. */
const LENGTH_BYTES = 4;

/** Length of the JSON in bytes. */
export const jsonBytesOf = (packed: PackedShape): number =>
  Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength).readUInt32LE(packed.byteLength - LENGTH_BYTES);

/** Packs a geometry. One of 100,000 positions takes some 150 ms: a large one is packed in the process of tasks. */
export const packedShape = ({ type, coordinates }: Geometry): PackedShape =>
  gzipSync(JSON.stringify({ type, coordinates }));

/** The geometry itself. One of 100,000 positions takes some 90 ms, the most that requests may be held up. */
export async function unpacked(packed: PackedShape): Promise<Geometry> {
  const { type, coordinates } = JSON.parse((await unpack(packed)).toString('utf8')) as Geometry;
  return { type, coordinates } as Geometry;
}

/** The JSON of a geometry as callers get it: its type and its coordinates, whatever stood beside them. */
export async function jsonOfShape(packed: PackedShape): Promise<Uint8Array> {
  const json = await unpack(packed);
  const [beginning] = BEGINNING.exec(json.toString('latin1', 0, BEGINNING_BYTES)) ?? [];
  if (beginning !== undefined && !json.includes('"', beginning.length)) return json;
  return Buffer.from(JSON.stringify(await unpacked(packed)));
}
