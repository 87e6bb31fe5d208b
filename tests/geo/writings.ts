import fc from 'fast-check';
import type { MultiPolygon, Polygon, Position, Ring } from '../../shared/geo/shapes/geoJson.js';

const closed = (corners: readonly Position[]): Ring => [...corners, ...corners.slice(0, 1)];

/** A ring around a centre, at each corner another distance from it; corners lie more than 1e-5° from each other. */
const ringAround = ([x, y]: Position, radius: number, fewest: number): fc.Arbitrary<Ring> =>
  fc.array(fc.double({ min: 0.7, max: 1, noNaN: true }), { minLength: fewest, maxLength: 12 }).map((sizes) =>
    closed(
      sizes.map((size, at): Position => {
        const angle = (2 * Math.PI * at) / sizes.length + 0.1;
        return [x + radius * size * Math.cos(angle), y + radius * size * Math.sin(angle)];
      }),
    ),
  );

/** A part with up to two holes, in a place of its own. */
const partAt = (index: number): fc.Arbitrary<readonly Ring[]> => {
  const [x, y] = [-93.61 + index / 50, 41.08];
  const holes = fc
    .subarray([-0.001, 0.001])
    .chain((sides) => fc.tuple(...sides.map((side) => ringAround([x + side, y], 0.0005, 3))));
  // Of at least six corners, so that the holes lie inside.
  return fc.tuple(ringAround([x, y], 0.005, 6), holes).map(([outer, inner]) => [outer, ...inner]);
};

/** Land of up to four parts with holes. */
export const anyLand: fc.Arbitrary<MultiPolygon> = fc
  .integer({ min: 1, max: 4 })
  .chain((count) => fc.tuple(...Array.from({ length: count }, (_, index) => partAt(index))))
  .map((coordinates) => ({ type: 'MultiPolygon', coordinates }));

/** How a tool may write a position: with another noise, rounded, with a height. */
const positionWriter = fc.oneof(
  fc.constant((position: Position): Position => position),
  fc
    .constantFrom(6, 7, 9)
    .map((decimals) => ([x, y]: Position): Position => [Number(x.toFixed(decimals)), Number(y.toFixed(decimals))]),
  fc
    .tuple(fc.double({ min: -1e-10, max: 1e-10, noNaN: true }), fc.double({ min: -1e-10, max: 1e-10, noNaN: true }))
    .map(([dx, dy]) => ([x, y]: Position): Position => [x + dx, y - dy]),
  fc.double({ min: -400, max: 9_000, noNaN: true }).map(
    (height) =>
      ([x, y]: Position) =>
        [x, y, height] as unknown as Position,
  ),
);

/** How a tool may write a ring: begun at another corner, turned, corners twice. */
const ringWriter = fc
  .record({ start: fc.nat({ max: 11 }), isTurned: fc.boolean(), twice: fc.subarray([0, 1, 5]) })
  .map(({ start, isTurned, twice }) => (ring: Ring): Ring => {
    const open = ring.slice(0, -1);
    const begun = open.map((_, at) => open[(at + start) % open.length]!);
    const turned = isTurned ? begun.toReversed() : begun;
    return closed(turned.flatMap((position, at) => (twice.includes(at) ? [position, position] : [position])));
  });

/** The same land as another tool may write it. */
export const writingOf = (land: MultiPolygon): fc.Arbitrary<Polygon | MultiPolygon> =>
  fc
    .record({
      parts: fc.shuffledSubarray([...land.coordinates], { minLength: land.coordinates.length }),
      isHoleOrderTurned: fc.boolean(),
      rings: fc.array(ringWriter, { minLength: 12, maxLength: 12 }),
      position: positionWriter,
      isBare: fc.boolean(),
    })
    .map(({ parts, isHoleOrderTurned, rings, position, isBare }) => {
      let count = 0;
      const coordinates = parts.map(([outer = [], ...holes]) =>
        [outer, ...(isHoleOrderTurned ? holes.toReversed() : holes)].map((ring) => {
          const write = rings[count % rings.length]!;
          count += 1;
          return write(ring).map(position);
        }),
      );
      const [only] = coordinates;
      return isBare && coordinates.length === 1 && only !== undefined
        ? { type: 'Polygon', coordinates: only }
        : { type: 'MultiPolygon', coordinates };
    });
