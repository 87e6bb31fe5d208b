import type { Position } from '../../../../shared/geo/shapes/geoJson.js';
import type { ScriptedFault } from '../http/faultScript.js';
import type { SceneCases } from './sceneCases.js';

/** What the stand-in does that a tidy catalogue doesn't. */
export interface UntidyCatalogue {
  readonly cases: SceneCases;
  /** What its file host answers in place of files. */
  readonly faults: readonly ScriptedFault[];
}

/** The middle of the field that the README enrols. */
const README_FIELD: Position = [-92.982, 41.5045];
/** Requests for files that are refused as with a token that has expired. */
const EXPIRED_REQUESTS = 20;

const answered = (status: number, times = Infinity): Partial<UntidyCatalogue> => ({
  faults: [{ kind: 'status', method: 'GET', path: '/files/', status, times }],
});

/** The cases by name; those of one place get it. */
const CASES: Readonly<Record<string, (place: Position) => Partial<UntidyCatalogue>>> = {
  'two-granules': (place) => ({ cases: { cutAt: place } }),
  reprocessed: () => ({ cases: { isReprocessed: true } }),
  'reprocessed-part': (place) => ({ cases: { isReprocessed: true, reprocessedWestOf: place } }),
  'deep-shadow': () => ({ cases: { shadowFraction: 0.06 } }),
  'neighbour-zones': () => ({ cases: { hasNeighbourZones: true } }),
  'odd-tile-names': () => ({ cases: { hasOddTileNames: true } }),
  'odd-items': () => ({ cases: { hasOddItems: true } }),
  'refused-files': () => answered(403),
  'missing-files': () => answered(404),
  'expired-tokens': () => answered(403, EXPIRED_REQUESTS),
};

/** The names of all cases. */
export const caseNames: readonly string[] = Object.keys(CASES);
const PLACED = new Set(['two-granules', 'reprocessed-part']);

/** `<longitude>/<latitude>` in degrees. */
function placeIn(text: string): Position | undefined {
  const [longitude, latitude, ...more] = text.split('/').map((part) => (part.trim() === '' ? NaN : Number(part)));
  if (longitude === undefined || latitude === undefined || more.length > 0) return undefined;
  return Math.abs(longitude) <= 180 && Math.abs(latitude) <= 84 ? [longitude, latitude] : undefined;
}

function namedCase(entry: string): Partial<UntidyCatalogue> {
  const [name = '', ...places] = entry.split('@');
  const make = Object.hasOwn(CASES, name) ? CASES[name] : undefined;
  if (make === undefined) throw new Error(`has no case "${name}"; there are ${caseNames.join(', ')}`);
  const [place, ...more] = places;
  if (place === undefined) return make(README_FIELD);
  const position = PLACED.has(name) && more.length === 0 ? placeIn(place) : undefined;
  if (position === undefined) {
    throw new Error(`has "${entry}"; only ${[...PLACED].join(' and ')} take a place, as @<longitude>/<latitude>`);
  }
  return make(position);
}

/**
 * Reads names of cases separated by commas; one of a place may be followed by it: `two-granules@-92.982/41.5045`.
 *
 * @throws Error that names what is not known
 */
export function namedCases(text: string): UntidyCatalogue {
  const entries = text.split(',').map((entry) => entry.trim());
  const found = entries.filter((entry) => entry !== '').map(namedCase);
  return {
    cases: Object.assign({}, ...found.map(({ cases }) => cases)) as SceneCases,
    faults: found.flatMap(({ faults = [] }) => faults),
  };
}
