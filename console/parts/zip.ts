/** A file to be put into an archive. */
export interface ZipEntry {
  readonly name: string;
  readonly data: Uint8Array;
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value >>> 0;
});

/** CRC-32 as archives have it. */
export function crc32(data: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of data) value = (value >>> 8) ^ (CRC_TABLE[(value ^ byte) & 0xff] ?? 0);
  return (value ^ 0xffffffff) >>> 0;
}

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
/** Names are UTF-8. */
const FLAGS = 0x0800;
/** 1 January 1980: the oldest day that the format knows. */
const DAY = 0x0021;

/** Numbers below each other, little end first. @param fields value and bytes of each */
function packed(fields: readonly (readonly [value: number, bytes: 2 | 4])[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(fields.reduce((sum, [, bytes]) => sum + bytes, 0)));
  let at = 0;
  for (const [value, bytes] of fields) {
    if (bytes === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += bytes;
  }
  return new Uint8Array(view.buffer);
}

/** What both headers of an entry have in common; stored as it is, for pictures are packed already. */
const described = (name: Uint8Array, { data }: ZipEntry): readonly (readonly [number, 2 | 4])[] => [
  ...([
    [FLAGS, 2],
    [0, 2],
    [0, 2],
    [DAY, 2],
  ] as const),
  ...([
    [crc32(data), 4],
    [data.length, 4],
    [data.length, 4],
    [name.length, 2],
    [0, 2],
  ] as const),
];

/** The parts of a zip archive of these files. @see APPNOTE.TXT of PKWARE, 4.3 */
export function zipParts(entries: readonly ZipEntry[]): Uint8Array[] {
  const parts: Uint8Array[] = [];
  const central: Uint8Array[] = [];
  let offset = 0;
  for (const entry of entries) {
    const name = new TextEncoder().encode(entry.name);
    const head = packed([[LOCAL, 4], [20, 2], ...described(name, entry)]);
    parts.push(head, name, entry.data);
    const about = packed([
      [CENTRAL, 4],
      [20, 2],
      [20, 2],
      ...described(name, entry),
      [0, 2],
      [0, 2],
      [0, 2],
      [0, 4],
      [offset, 4],
    ]);
    central.push(about, name);
    offset += head.length + name.length + entry.data.length;
  }
  const size = central.reduce((sum, { length }) => sum + length, 0);
  const count = entries.length;
  const end = packed([
    [END, 4],
    [0, 2],
    [0, 2],
    [count, 2],
    [count, 2],
    [size, 4],
    [offset, 4],
    [0, 2],
  ]);
  return [...parts, ...central, end];
}
