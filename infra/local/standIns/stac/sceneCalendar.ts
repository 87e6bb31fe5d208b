import { dayNumber, dayOf } from '../../../../shared/kit/validation/calendar.js';

/** One overpass over the tiles of a zone. */
export interface Overpass {
  /** UTC day. */
  readonly date: string;
  readonly takenAt: Date;
  /** When the catalogues show it. */
  readonly publishedAt: Date;
  readonly platform: 'sentinel-2a' | 'sentinel-2b';
  readonly datatake: string;
  /** Share of the sky under cloud, 0–1. */
  readonly cloudFraction: number;
  /** Whether the collection with the offset in its pixels has it too. */
  readonly isInCollection1: boolean;
}

/** The satellites come by every five days. */
const DAYS_BETWEEN = 5;
const HOUR_MS = 3_600_000;
const PUBLISHED_AFTER_MS = 4 * HOUR_MS;
/** Every third overpass meets clouds: a few, half the sky, or nothing but clouds. */
const CLOUDS = [0.25, 0.6, 1] as const;

/** 10:30 of the zone's own sun. */
function hourOf(zone: number): number {
  return (10.5 - (zone * 6 - 183) / 15 + 24) % 24;
}

function overpassOn(zone: number, day: number): Overpass | undefined {
  if ((day + zone) % DAYS_BETWEEN !== 0) return undefined;
  const index = Math.floor((day + zone) / DAYS_BETWEEN);
  const date = dayOf(day);
  const takenAt = new Date(Date.parse(`${date}T00:00:00Z`) + Math.round(hourOf(zone) * HOUR_MS));
  const isEven = index % 2 === 0;
  return {
    date,
    takenAt,
    publishedAt: new Date(takenAt.getTime() + PUBLISHED_AFTER_MS),
    platform: isEven ? 'sentinel-2a' : 'sentinel-2b',
    datatake: `GS2${isEven ? 'A' : 'B'}_${stampOf(takenAt)}_${String(index % 1_000_000).padStart(6, '0')}`,
    cloudFraction: index % 3 === 0 ? (CLOUDS[Math.floor(index / 3) % CLOUDS.length] ?? 1) : 0,
    isInCollection1: isEven,
  };
}

const stampOf = (instant: Date): string => instant.toISOString().slice(0, 19).replaceAll(/[-:]/g, '');

/** A clear overpass that the calendar doesn't have, published at `now` and taken as long before as any, or days earlier. */
export function overpassPublished(now: Date, daysBack: number): Overpass {
  const takenAt = new Date(now.getTime() - PUBLISHED_AFTER_MS - daysBack * 24 * HOUR_MS);
  const datatake = `GS2A_${stampOf(takenAt)}_999999`;
  const date = takenAt.toISOString().slice(0, 10);
  const seen = { platform: 'sentinel-2a', cloudFraction: 0, isInCollection1: false } as const;
  return { date, takenAt, publishedAt: now, datatake, ...seen };
}

/** Overpasses over a zone that a catalogue shows at `now`, newest first; none before Sentinel-2B flew. */
export function overpassesOver(
  zone: number,
  { from, to, now }: { readonly from: string; readonly to: string; readonly now: Date },
): readonly Overpass[] {
  const first = Math.max(dayNumber(from), dayNumber('2017-07-01'));
  const last = Math.min(dayNumber(to), dayNumber(now.toISOString().slice(0, 10)));
  const found: Overpass[] = [];
  for (let day = last; day >= first; day -= 1) {
    const overpass = overpassOn(zone, day);
    if (overpass !== undefined && overpass.publishedAt <= now) found.push(overpass);
  }
  return found;
}
