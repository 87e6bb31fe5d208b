import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  coordinatesFault,
  POSITION_LEVELS,
  readBoundary,
} from '../../../shared/enrollments/upload/submittedCoordinates.js';
import { scanJsonInput } from '../../../shared/kit/json/jsonInput.js';
import { numberIn } from '../../../shared/enrollments/upload/jsonNumber.js';
import type { TextMember } from '../../../shared/kit/json/jsonMembers.js';
import { readSubmittedFeatures } from '../../../shared/enrollments/upload/submittedFeatures.js';
import { mutated, oddCollection, oddJson } from '../../enrollments/jsonTexts.js';
import { tries } from '../../support/fullRun.js';

const wide = { depth: 1e6, brackets: 1e6, separators: 1e6, stringBytes: 1e6 };
const scan = (bytes: Uint8Array) =>
  scanJsonInput({ part: 'x', bytes, budget: wide }, (scanner) => {
    scanner.skipValue();
  });

/** What the platform makes of the bytes: a value, or nothing. */
function parsed(bytes: Uint8Array): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown };
  } catch {
    return undefined;
  }
}

type Json = Readonly<Record<string, unknown>>;
const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const member = (value: unknown, name: string): unknown => (isRecord(value) ? value[name] : undefined);
const textMember = (value: unknown): TextMember => (value === undefined || typeof value === 'string' ? value : null);
const unlessNull = (value: unknown): TextMember => textMember(value) ?? null;

/** Levels of arrays around positions, as an independent reader tells them. */
function isOfLevels(value: unknown, levels: number): boolean {
  if (!Array.isArray(value)) return false;
  if (levels > 0) return value.every((item) => isOfLevels(item, levels - 1));
  return value.length >= 2 && value.length <= 4 && value.every((item) => Number.isFinite(item));
}

/** Rings as the first version of ingest cleaned them. */
const cleaned = (rings: readonly (readonly (readonly number[])[])[]) =>
  rings.map((ring) =>
    ring
      .map(([x, y]) => [x, y])
      .filter(([x, y], index, all) => index === 0 || x !== all[index - 1]![0] || y !== all[index - 1]![1]),
  );

/** The polygons of a collection, as they are found in it and as JSON.parse gives them. */
function polygonsIn(text: string) {
  const input = { part: 'x', bytes: new TextEncoder().encode(text), budget: wide };
  const { value } = scanJsonInput(input, (scanner) => readSubmittedFeatures(scanner, 10));
  const features = member(JSON.parse(text), 'features') as readonly unknown[] | undefined;
  return (value?.features ?? []).flatMap((feature, index) => {
    const { type, coordinatesAt } = feature?.geometry ?? {};
    const levels = POSITION_LEVELS.get(type ?? '');
    if (value === undefined || levels === undefined) return [];
    const coordinates = member(member(features?.[index], 'geometry'), 'coordinates');
    return [{ place: { bytes: value.bytes, coordinatesAt }, type, levels, coordinates }];
  });
}

describe('the scanner of uploads', () => {
  test.each([
    ['odd JSON', oddJson],
    ['feature collections', oddCollection],
  ])('refuses what JSON.parse refuses and nothing else, of %s and of what mutation makes of them', (_what, texts) => {
    const seen = { taken: 0, refused: 0 };
    fc.assert(
      fc.property(mutated(texts), (bytes) => {
        const isJson = parsed(bytes) !== undefined;
        seen[isJson ? 'taken' : 'refused'] += 1;
        expect(scan(bytes).fault === undefined).toBe(isJson);
      }),
      { numRuns: 1_500 },
    );
    expect(Math.min(seen.taken, seen.refused)).toBeGreaterThan(200);
  });

  test.each([
    ['[1,]', 1, 4, 3],
    ['{"a":1,}', 1, 8, 7],
    ['{a:1}', 1, 2, 1],
    ['[01]', 1, 3, 2],
    ['[1.]', 1, 4, 3],
    ['[-]', 1, 3, 2],
    ['[1e+]', 1, 5, 4],
    ['["\\x"]', 1, 4, 3],
    ['["\\u12G4"]', 1, 7, 6],
    ['["a\nb"]', 1, 4, 3],
    ['[tru]', 1, 5, 4],
    ['["🌾é",x]', 1, 8, 10],
    ['1 2', 1, 3, 2],
    ['\uFEFF\uFEFF1', 1, 1, 0],
    ['[\n  1,\r\n  é]', 3, 3, 10],
    ['\n\n\nx', 4, 1, 3],
    ['["🌾",\n"é", x]', 2, 6, 15],
  ])('says where %j is no JSON: line %i, column %i (byte %i)', (text, line, column, at) => {
    expect(scan(new TextEncoder().encode(text)).fault).toEqual({
      loc: ['x'],
      msg: `x is not JSON at line ${line}, column ${column} (byte ${at})`,
      type: 'json',
    });
  });

  test('finds in a collection what JSON.parse finds', () => {
    const seen = { features: 0, ids: 0 };
    fc.assert(
      fc.property(oddCollection, fc.nat({ max: 3 }), (text, limit) => {
        const value = JSON.parse(text) as unknown;
        const { value: found } = scanJsonInput(
          { part: 'x', bytes: new TextEncoder().encode(text), budget: wide },
          (scanner) => readSubmittedFeatures(scanner, limit),
        );
        const features = member(value, 'features');
        const list = Array.isArray(features) ? features : [];
        const crs = member(value, 'crs') ?? undefined;
        expect(found).toMatchObject({
          type: textMember(member(value, 'type')),
          crs: crs === undefined ? undefined : unlessNull(member(member(crs, 'properties'), 'name')),
          featureCount: list.length,
        });
        expect(found?.features.map((feature) => [feature?.type, feature?.fieldId, feature?.geometry?.type])).toEqual(
          list
            .slice(0, limit)
            .map((feature: unknown) => [
              textMember(member(feature, 'type')),
              textMember(member(member(feature, 'properties'), 'field_id')),
              textMember(member(member(feature, 'geometry'), 'type')),
            ]),
        );
        seen.features += found?.features.length ?? 0;
        seen.ids += found?.features.filter((feature) => typeof feature?.fieldId === 'string').length ?? 0;
      }),
      { numRuns: 1_000 },
    );
    expect(Math.min(seen.features, seen.ids)).toBeGreaterThan(100);
  });

  test('reads boundaries as JSON.parse would, and faults where they are', () => {
    const seen = { sound: 0, faulty: 0 };
    fc.assert(
      fc.property(oddCollection, (text) => {
        for (const { place, type, levels, coordinates } of polygonsIn(text)) {
          const path = coordinatesFault(place, levels);
          expect(path === undefined).toBe(isOfLevels(coordinates, levels));
          seen[path === undefined ? 'sound' : 'faulty'] += 1;
          if (path === undefined) {
            const parts = (type === 'Polygon' ? [coordinates] : coordinates) as readonly (readonly number[][])[][];
            expect(readBoundary(place, type)).toEqual(parts.map(cleaned));
          } else {
            const bad = path.reduce((outer: unknown, item) => (outer as readonly unknown[])[item], coordinates);
            expect(isOfLevels(bad, levels - path.length)).toBe(false);
          }
        }
      }),
      { numRuns: 1_000 },
    );
    expect(Math.min(seen.sound, seen.faulty)).toBeGreaterThan(50);
  });

  test('reads every number to the double that JSON.parse gives', () => {
    const digits = fc.stringMatching(/^(0|[1-9]\d{0,24})(\.\d{1,25})?([eE][+-]?\d{1,3})?$/);
    fc.assert(
      fc.property(
        fc.constantFrom('', '-'),
        fc.oneof(
          digits,
          fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 }).map((n) => JSON.stringify(n)),
        ),
        (sign, text) => {
          const bytes = Buffer.from(`xx${sign}${text}xx`);
          expect(numberIn(bytes, 2, bytes.length - 2)).toBe(JSON.parse(`${sign}${text}`));
        },
      ),
      { numRuns: tries(5_000) },
    );
  });
});

describe('a boundary too large to be kept', () => {
  const place = (text: string) => ({ bytes: new TextEncoder().encode(text), coordinatesAt: 0 });

  test('is counted to its end, equal neighbours once', () => {
    const positions = Array.from({ length: 100_001 }, (_, index) => `[${index},1],[${index}.0,1]`);
    expect(() => readBoundary(place(`[[${positions.join(',')}]]`), 'Polygon')).toThrow(
      /has 100001 positions; at most 100000/,
    );
  });

  test('is kept in part when it is made of rings without positions', () => {
    const parts = readBoundary(place(`[${Array(300_000).fill('[]').join(',')}]`), 'Polygon');
    expect(parts[0]).toHaveLength(100_000);
  });
});
