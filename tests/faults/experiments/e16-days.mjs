import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyScene, dayAfter, enrol, filesOf, makeScenes, SCENE_TILE } from '../backfill.mjs';
import { check } from '../checker.mjs';
import { inspect, untilLooked } from '../imageryInspection.mjs';
import { pause } from '../quiet.mjs';

const DAY_MS = 86_400_000;
/** Late scenes are looked for so many days after the end of an enrollment. */
const LATE_DAYS = 10;
/** Latest publication of a scene, in days after it was taken. */
const LATEST = 8;
const FIELDS = 2;

const ticksOf = (world) => (world.logText().match(/"Timer:Done"[^\n]*"upkeepWorkSweep"/g) ?? []).length;

/** Waits for so many sweeps of every host. */
async function untilTicked(world, count) {
  const wanted = ticksOf(world) + count * world.hosts.length;
  const deadline = Date.now() + 60_000;
  while (ticksOf(world) < wanted && Date.now() < deadline) await pause(100);
}

/** Scenes of every second day around the period, each with the simulated day on which the catalogue shows it. */
function plannedScenes(scenes, { first, last, random, into }) {
  const planned = [];
  for (let day = dayAfter(first, -4); day <= dayAfter(last, 4); day = dayAfter(day, 2)) {
    const folder = copyScene(scenes, { from: scenes.days[0], to: day, into });
    planned.push({ day, folder, shownOn: dayAfter(day, Math.floor(random() * (LATEST + 1))) });
  }
  // The last day of the period itself must be among them.
  if (!planned.some(({ day }) => day === last)) {
    const folder = copyScene(scenes, { from: scenes.days[0], to: last, into });
    planned.push({ day: last, folder, shownOn: last });
  }
  return planned;
}

/** Notes when the catalogue put an item in. */
function stampItem({ folder }, instant) {
  const file = join(folder, 'item.json');
  const item = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(
    file,
    JSON.stringify({ ...item, properties: { ...item.properties, created: instant, updated: instant } }),
  );
}

/** Shows what the catalogue has by this day: whole at once, as a catalogue does. */
function publish(planned, today, folder) {
  for (const scene of planned.filter(({ shownOn, isShown }) => !isShown && shownOn <= today)) {
    stampItem(scene, `${today}T11:59:00.000Z`);
    renameSync(scene.folder, join(folder, `S2B_31TGN_${scene.day}`));
    scene.isShown = true;
  }
}

/** Of five days one whose tick is missed and one whose tick is doubled, in an order that is drawn. */
function drawnTicks(count, random) {
  const kinds = Array.from({ length: count }, (_, index) => ['missed', 'doubled'][index % 5] ?? 'ticked');
  for (let index = count - 1; index > 0; index -= 1) {
    const other = Math.floor(random() * (index + 1));
    [kinds[index], kinds[other]] = [kinds[other], kinds[index]];
  }
  // The last day's tick must come: nobody comes after it.
  return [...kinds.slice(0, -1), 'ticked'];
}

/** Sweeps that are waited for; a tick that is missed is a day that passes without one. */
const SWEEPS = { missed: 0, ticked: 1, doubled: 2 };

async function liveThrough(world, { days, planned, folder }) {
  const counts = { ticked: 0, missed: 0, doubled: 0 };
  const kinds = drawnTicks(days.length, world.random);
  const noon = Date.parse(`${days[0]}T12:00:00Z`);
  for (const [index, today] of days.entries()) {
    publish(planned, today, folder);
    for (const host of world.hosts) host.setClock(noon - Date.now() + index * DAY_MS);
    counts[kinds[index]] += 1;
    await untilTicked(world, SWEEPS[kinds[index]]);
  }
  await untilTicked(world, 2);
  return counts;
}

/** Waits until the feed knows that somebody wants images: what came before is for the search. */
async function untilIndexed(world) {
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline) {
    const entries = await world.storage.rows('interest', `PartitionKey eq '${SCENE_TILE}'`);
    if (entries.length > 0) return;
    await pause(100);
  }
}

/** Polls come beside every sweep. */
const FEED_SECONDS = '3';

/**
 * The days that the feed knows products of, against those that the catalogue showed since it was first asked: on the
 * first day, for then the clocks are set back. @returns how many it knows
 */
async function checkFeed(world, { planned, first }, breaches) {
  const rows = await world.storage.rows('scenes', `PartitionKey eq '${SCENE_TILE}'`);
  const known = new Set(rows.map(({ rowKey }) => dayOfRow(rowKey)));
  const shown = planned.filter(({ isShown, shownOn }) => isShown && shownOn > first).map(({ day }) => day);
  for (const day of shown.filter((one) => !known.has(one)))
    breaches.push(`I6: the feed doesn't know the scene of ${day}`);
  return known.size;
}

/** A key begins with the inverse of its day. */
function dayOfRow(rowKey) {
  const digits = String(99_999_999 - Number(rowKey.slice(0, 8)));
  return `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`;
}

export const experiment = {
  id: 'E16',
  restsOn: ['imagery', 'work', 'scenes'],
  title: 'simulated days with missed and doubled ticks, two hosts, scenes that come late',
  passLine:
    'the files of every scene from the first to the last day inclusive, whenever it came, and no others; the feed knows all',
  run: async (context) => {
    const length = context.size(14, 30);
    const scenes = makeScenes(FIELDS, 1);
    const waiting = mkdtempSync(join(tmpdir(), 'waiting-'));
    const catalogue = join(waiting, 'catalogue');
    mkdirSync(catalogue);
    const world = await context.start({
      hosts: 2,
      clock: true,
      environment: { STAC_DIR: catalogue, IMAGERY_FEED_SECONDS: FEED_SECONDS },
    });
    const first = new Date().toISOString().slice(0, 10);
    const last = dayAfter(first, length - 1);
    const planned = plannedScenes(scenes, { first, last, random: world.random, into: waiting });
    const breaches = [];
    await enrol(world, scenes, world.service, { startDate: first, endDate: last });
    await untilIndexed(world);
    const days = Array.from({ length: length + LATE_DAYS }, (_, index) => dayAfter(first, index));
    const counts = await liveThrough(world, { days, planned, folder: catalogue });
    const products = await checkFeed(world, { planned, first }, breaches);
    for (const host of world.hosts) host.setClock(0);
    const wanted = planned.map(({ day }) => day).filter((day) => day >= first && day <= last);
    const expected = { fieldIds: scenes.fieldIds, days: wanted.sort() };
    const files = await filesOf(world, world.service);
    for (const fieldId of await untilLooked(files, expected, context.quietMs(120_000)))
      breaches.push(`I6: ${fieldId} is not looked at whole`);
    const made = breaches.length === 0 ? await inspect(files, expected, breaches) : new Map();
    const { breaches: found } = await check(world, { quietMs: context.quietMs(60_000) });
    scenes.remove();
    rmSync(waiting, { recursive: true, force: true });
    const all = { days: days.length, ...counts, scenes: wanted.length, files: made.size, products };
    return { counts: all, breaches: [...breaches, ...found] };
  },
};
