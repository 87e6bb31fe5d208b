/**
 * A UUID that depends on another one and a name alone, so that what is saved twice is one thing.
 *
 * @param namespace a UUID
 * @see RFC 9562, section 5.5 (UUID version 5)
 */
export async function nameBasedId(namespace: string, name: string): Promise<string> {
  const bytes = (namespace.replaceAll('-', '').match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16));
  const hash = await crypto.subtle.digest('SHA-1', Uint8Array.from([...bytes, ...new TextEncoder().encode(name)]));
  const id = new Uint8Array(hash, 0, 16);
  id[6] = ((id[6] ?? 0) & 0x0f) | 0x50;
  id[8] = ((id[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(id, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
