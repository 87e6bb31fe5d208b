import { describe, expect, test } from '@jest/globals';
import { testInFull } from '../../support/fullRun.js';
import { at, dayAfter, FeedWorld } from './feedWorld/feedWorld.js';
import { Flood } from './feedWorld/flood.js';

const MINUTE_MS = 60_000;
const DAY = '2026-06-20';
const FROM = at(DAY, '12:00');
/** Items of the field that come with the flood, evenly. */
const WANTED = 12;
const FIRST_DAY = dayAfter(DAY, -WANTED);

interface Row {
  readonly anHour: number;
  readonly pageSeconds: number;
  /** How long the flood lasts, while the catalogue is away. */
  readonly minutes: number;
  /** How long a poll lasts until it is killed. */
  readonly killedAfter: number;
  /** Longest time without news until everything is taken in: one poll, and the way to the next tick. */
  readonly mostMinutes: number;
}

/** Longest time, in minutes, in which nothing new was taken in, from when the catalogue is back until all is. */
async function longestStandstill(row: Row): Promise<number> {
  const world = new FeedWorld('earth-search', DAY);
  const back = FROM + row.minutes * MINUTE_MS;
  world.service.enrolWorld();
  await world.enrol('farm', '33UUP', FIRST_DAY);
  await world.advanceTo(FROM);
  const wanted = Array.from({ length: WANTED }, (_, index) =>
    world.show({ tile: '33UUP', day: dayAfter(FIRST_DAY, index) }, FROM + ((index + 0.5) * (back - FROM)) / WANTED),
  );
  world.catalogue.flood = new Flood({ day: DAY, from: FROM, ...row });
  world.catalogue.away = { from: FROM, to: back };
  await world.advanceTo(back - 1);
  world.catalogue.pageMs = row.pageSeconds * 1_000;
  world.clock.longestRunMs = row.killedAfter * MINUTE_MS;
  const mostMs = row.mostMinutes * MINUTE_MS;
  const times = (): number[] => [back, ...wanted.flatMap(({ takenInAt }) => takenInAt ?? [])].sort((a, b) => a - b);
  while (times().length <= WANTED) {
    if (world.clock.nowMs > (times().at(-1) ?? back) + mostMs) return Infinity;
    await world.advance(1 / 60);
  }
  return Math.max(...times().map((time, index) => time - (times()[index - 1] ?? back))) / MINUTE_MS;
}

describe('a flood of changes of Earth Search', () => {
  const expectProgress = async (row: Row): Promise<void> => {
    expect(await longestStandstill(row)).toBeLessThanOrEqual(row.mostMinutes);
  };
  const title =
    'of $anHour an hour, $pageSeconds s a page, is taken in further by every poll, killed after $killedAfter min';

  test.each<Row>([
    { anHour: 3_000, pageSeconds: 10, minutes: 60, killedAfter: 30, mostMinutes: 35 },
    { anHour: 300_000, pageSeconds: 1, minutes: 10, killedAfter: 4, mostMinutes: 6 },
  ])(title, expectProgress);

  // In place of 300,000 and 1 s: polls are as long, at a tenth of the cost.
  testInFull.each<Row>([{ anHour: 30_000, pageSeconds: 10, minutes: 60, killedAfter: 30, mostMinutes: 35 }])(
    title,
    expectProgress,
  );
});
