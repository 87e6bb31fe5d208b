// Weeks of a catalogue that lacks tiles of overpasses, for fields at the edges of tiles and of zones: the product's own
// polls, nights, units and searches. Experiments build it, with a protection taken out when they must fail.
import { isOwn } from '../../shared/imagery/products/product.js';
import { coverOf, type GeoBox } from '../../shared/scenes/place/footprint.js';
import type { Scene } from '../../shared/scenes/item/scene.js';
import { boxOfTile, gridOfTile, squareOfTile } from '../../shared/scenes/place/tiles.js';
import { addDays } from '../../shared/kit/validation/calendar.js';
import { aScene, boxPolygon } from '../imagery/builders.js';
import { FeedUnderTest } from '../imagery/discovery/feedUnderTest.js';

const FIRST_DAY = '2026-06-01';
const HALF_DAY_MS = 43_200_000;
const HOME = '33UUP';
const TILES = [HOME, '33UVP', '32UQU'] as const;
/** In 33UUP alone, and in what it shares with another tile of its zone and with one of the zone beside. */
const FIELDS: readonly { readonly fieldId: string; readonly box: GeoBox }[] = [
  { fieldId: 'inner', box: [13.4, 48.29, 13.403, 48.292] },
  { fieldId: 'eastern', box: [13.68, 48.29, 13.683, 48.292] },
  { fieldId: 'western', box: [12.6, 48.29, 12.603, 48.292] },
];

export interface HoleDaysOptions {
  readonly random: () => number;
  readonly days: number;
}

interface Shown {
  readonly day: string;
  readonly scene: Scene;
}

/** What a swath shows of a tile: it ends at a longitude, for all tiles alike. */
function sceneOf(tile: string, day: string, swath: readonly [west: number, east: number]): Scene | undefined {
  const square = squareOfTile(tile);
  if (square === undefined) return undefined;
  const [west, south, east, north] = boxOfTile(square);
  const [left, right] = [Math.max(west, swath[0]), Math.min(east, swath[1])];
  if (left >= right) return undefined;
  const stamp = day.replaceAll('-', '');
  return aScene({
    ...{ id: `S2B_${tile}_${stamp}_0_L2A`, tile, takenAt: `${day}T10:05:59.000Z`, generatedAt: `${day}T13:00:00Z` },
    ...{ datatake: `GS2B_${stamp}T100559_043001`, datastripStart: `${stamp}T100612` },
    ...{ grid: gridOfTile(square), footprint: boxPolygon([left, south, right, north]) },
  });
}

/** What is published: of each overpass some tiles never, the others within a day; the home tile's first always. */
function publish(service: FeedUnderTest, { random, days }: HoleDaysOptions): readonly Shown[] {
  const shown: Shown[] = [];
  for (let number = 0; number < days - 4; number += 2 + Math.floor(2 * random())) {
    const day = addDays(FIRST_DAY, number);
    const drawn = random();
    const swath = [drawn < 0.2 ? 13.0 : 0, drawn > 0.8 ? 13.0 : 90] as const;
    for (const tile of TILES) {
      const scene = sceneOf(tile, day, swath);
      const isLacking = random() < 0.4 && !(tile === HOME && number % 6 === 0);
      if (scene === undefined || isLacking) continue;
      shown.push({ day, scene });
      service.catalogue.add(scene, Date.parse(`${day}T14:00:00Z`) + random() * 2 * HALF_DAY_MS);
    }
  }
  return shown;
}

/** What is wrong with the days and the grid of a field. */
function breachesOf(service: FeedUnderTest, fieldId: string, expected: ReadonlySet<string>): readonly string[] {
  const root = `contoso/field-imagery/sentinel-2/${fieldId}/`;
  const made = new Set(
    service
      .paths()
      .flatMap((path) => (path.startsWith(root) && path.endsWith('ndvi.tiff') ? [path.split('/')[4]!] : [])),
  );
  const grids = [...made].map((day) => {
    const { assets } = service.imagery.documents.get(`${root}${day}/metadata.json`)!.document as {
      readonly assets: Readonly<Record<string, object>>;
    };
    return JSON.stringify(Object.entries(assets['ndvi']!).filter(([name]) => name.startsWith('proj:')));
  });
  return [
    ...[...expected].filter((day) => !made.has(day)).map((day) => `I6: no image of ${day} for ${fieldId}`),
    ...[...made].filter((day) => !expected.has(day)).map((day) => `I6: an image of ${day} for ${fieldId}, of nothing`),
    ...(new Set(grids).size > 1 ? [`the files of ${fieldId} lie on ${new Set(grids).size} grids`] : []),
  ];
}

/** Lives through so many days, of whose nights some are missed, and looks at what is there. */
export async function holeDays(options: HoleDaysOptions) {
  const { random, days } = options;
  const service = new FeedUnderTest(`${FIRST_DAY}T05:30:00Z`);
  const request = { startDate: FIRST_DAY, endDate: addDays(FIRST_DAY, days), layers: ['ndvi'] as const };
  await service.enrol({ customer: 'contoso', enrollmentId: 'e1', fields: FIELDS, request });
  await service.sweep();
  await service.drainAll();
  const shown = publish(service, options);
  for (let half = 0; half < days * 2; half += 1) {
    const isMissed = random() < 0.2 && half < days * 2 - 4;
    if (!isMissed) await (half % 2 === 0 ? service.night() : service.poll());
    await service.sweep();
    await service.drainAll();
    await service.clock.advance(HALF_DAY_MS);
  }
  const breaches = FIELDS.flatMap(({ fieldId, box }) => {
    const showing = shown.filter(({ scene }) => coverOf(scene.footprint, box) === 'all');
    return breachesOf(service, fieldId, new Set(showing.map(({ day }) => day)));
  });
  const borrowed = service.scenes.products.filter((product) => !isOwn(product)).length;
  const counts = { days, scenes: shown.length, borrowed, searches: service.catalogue.searches.length };
  return { counts, breaches };
}
