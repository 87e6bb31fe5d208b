/** What a part holds that is no JSON in UTF-8, told by its first bytes: what it is, and what to do about it. */
const signatures: readonly { readonly bytes: readonly number[]; readonly text: string }[] = [
  { bytes: [0x1f, 0x8b], text: 'is compressed with gzip; send it unpacked' },
  { bytes: [0x50, 0x4b, 0x03, 0x04], text: 'is a ZIP archive; send the file that is in it, as GeoJSON or JSON' },
  { bytes: [0xff, 0xfe], text: 'is UTF-16; save it as UTF-8' },
  { bytes: [0xfe, 0xff], text: 'is UTF-16; save it as UTF-8' },
];

/** The end of a sentence about bytes that are surely something else; undefined for those that may be JSON. */
export function foreignText(bytes: Uint8Array): string | undefined {
  const known = signatures.find((signature) => signature.bytes.every((byte, index) => bytes[index] === byte));
  if (known !== undefined) return known.text;
  // Without a mark: JSON begins with a character of ASCII, whose other half is zero.
  return bytes.length > 1 && (bytes[0] === 0 || bytes[1] === 0) ? 'is UTF-16; save it as UTF-8' : undefined;
}
