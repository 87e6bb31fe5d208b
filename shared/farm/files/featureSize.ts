import { scanJsonInput } from '../../kit/json/jsonInput.js';
import { place, readMembers } from '../../kit/json/jsonMembers.js';
import type { JsonScanner } from '../../kit/json/jsonScanner.js';
import { geoJsonBudget } from '../../kit/json/structureBudget.js';

const MB = 1024 * 1024;
/** Of a feature, or of a line of an export: 100,000 positions of 160 characters. */
export const MOST_FEATURE_BYTES = 16 * MB;
/** Of what it has beside its geometry: thousands of times what is kept of it. */
const MOST_BESIDE_BYTES = 2 * MB;
/** As many as positions where each stands there twice: equal neighbours count once. */
const MOST_ARRAYS = 250_000;

/** What is too long to be read at all: a sentence. */
export const tooLong = (what: string, bytes: number): string =>
  `${what} has ${megabytes(bytes)} MB; at most ${MOST_FEATURE_BYTES / MB} MB are taken. Simplify it, or leave out what is no field.`;

/**
 * Why a feature, or a line of an export, is not to be read: its values would take many times its bytes of memory. What is
 * no JSON is found by whoever reads it.
 *
 * @param what `The feature` or `The line`
 * @returns a sentence; undefined for what is not too large
 */
export function tooLarge(what: string, bytes: Uint8Array): string | undefined {
  if (bytes.byteLength <= MOST_BESIDE_BYTES) return undefined;
  const { value } = scanJsonInput({ part: what, bytes, budget: geoJsonBudget }, geometriesOf);
  if (value === undefined) return undefined;
  const beside = bytes.byteLength - value.bytes;
  if (beside > MOST_BESIDE_BYTES) {
    return `${what} has ${megabytes(beside)} MB of properties; at most ${MOST_BESIDE_BYTES / MB} MB are taken. Leave out what a field does not need.`;
  }
  if (value.arrays <= MOST_ARRAYS) return undefined;
  return `${what} has a geometry of ${value.arrays} arrays; at most ${MOST_ARRAYS} are taken. Simplify it.`;
}

const megabytes = (bytes: number): string => (bytes / MB).toFixed(1);

/** What the geometries of a feature take, or those of the resource of a line. */
function geometriesOf(scanner: JsonScanner): { readonly bytes: number; readonly arrays: number } {
  const found = { bytes: 0, arrays: 0 };
  const measure = (): void => {
    const before = scanner.brackets;
    const start = place(scanner);
    found.bytes += scanner.at - start;
    found.arrays += scanner.brackets - before;
  };
  readMembers(scanner, ['geometry', 'resource'], (name) => {
    if (name === 'geometry') measure();
    else readMembers(scanner, ['geometry'], measure);
  });
  return found;
}
