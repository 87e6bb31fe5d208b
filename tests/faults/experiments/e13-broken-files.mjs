import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyScene, dayAfter, enrol, filesOf, makeScenes } from '../backfill.mjs';
import { check } from '../checker.mjs';
import { untilLooked } from '../imageryInspection.mjs';
import { pick, seededRandom } from '../random.mjs';

/** 1,000 days of a full run end before the day of the sound scene. */
const FIRST_DAY = '2023-05-01';
const FILES = ['scl', 'red', 'green', 'blue', 'nir'];
/** Files of a scene that are damaged. */
const DAMAGED = 2;
const MOST_GROWTH_KB = 200 * 1024;
const LONGEST_MS = 5_000;
/** Values that arithmetic on sizes and offsets stumbles over. */
const EXTREMES = [0, 1, 255, 4096, 65_535, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff];
/** The directories lie in front; damage there hurts most. */
const FRONT = 700;

const place = (random, { length }) =>
  Math.max(0, Math.floor(random() * Math.min(random() < 0.3 ? length : FRONT, length - 4)));
const changes = [
  (bytes, random) => bytes.subarray(0, Math.floor(random() * bytes.length)),
  (bytes, random) => {
    bytes.writeUInt32LE(pick(random, EXTREMES), place(random, bytes));
    return bytes;
  },
  (bytes, random) => {
    bytes.writeUInt16LE(pick(random, EXTREMES) % 65_536, place(random, bytes));
    return bytes;
  },
  (bytes, random) => {
    bytes[place(random, bytes)] ^= 1 << Math.floor(random() * 8);
    return bytes;
  },
  (bytes, random) => {
    const start = place(random, bytes);
    return bytes.fill(Math.floor(random() * 256), start, Math.min(bytes.length, start + Math.floor(random() * 200)));
  },
];

/** Scenes of consecutive days, each with a few damaged files, in place of the sound one. */
function damagedScenes(scenes, count, seed) {
  const [sound] = scenes.days;
  const random = seededRandom(seed);
  const days = Array.from({ length: count }, (_, index) => dayAfter(FIRST_DAY, index));
  for (const to of days) {
    const folder = copyScene(scenes, { from: sound, to });
    for (let damaged = 0; damaged < DAMAGED; damaged += 1) {
      const file = join(folder, `${pick(random, FILES)}.tif`);
      const bytes = readFileSync(file);
      // Cut to nothing already: there is no more to damage.
      if (bytes.length > 16) writeFileSync(file, pick(random, changes)(bytes, random));
    }
  }
  return { ...scenes, days };
}

const hostOf = ({ directory }) => readFileSync(join(directory, 'host.pid'), 'utf8').trim();
const memoryKb = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]);

/** The longest piece of work on one scene, in milliseconds, as the host told. */
const longestRender = (world) =>
  Math.max(0, ...[...world.logText().matchAll(/"Scene:Rendered".*?"durationMs":(\d+)/g)].map(([, ms]) => Number(ms)));

/** Every day has its outcome; a failure says why, and a day that is done has its files. */
async function checkDays(files, { days, fieldIds }, breaches) {
  const outcomes = {};
  const names = new Set(await files.list());
  for (const fieldId of fieldIds) {
    const root = `sentinel-2/${fieldId}`;
    const index = await files.json(`${root}/index.json`);
    const seen = index['fieldimagery:dates'];
    if (seen.length !== days.length) breaches.push(`${fieldId} shows ${seen.length} of ${days.length} days`);
    for (const { date, outcome, reason, layers } of seen) {
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      if (outcome !== 'done' && !reason) breaches.push(`${fieldId} ${date} is ${outcome} without a reason`);
      for (const layer of layers)
        if (!names.has(`${root}/${date}/${layer}.tiff`)) breaches.push(`${fieldId} ${date} has no ${layer}`);
    }
  }
  return outcomes;
}

export const experiment = {
  id: 'E13',
  restsOn: ['scenes', 'raster', 'imagery'],
  title: 'a catalogue full of damaged files',
  passLine: '0 crashes, no scene over 5 s, memory growth under 200 MB, every failure recorded with its reason',
  run: async (context) => {
    const sound = makeScenes(1, 1);
    const scenes = damagedScenes(sound, Math.ceil(context.size(300, 2_000) / DAMAGED), context.seed);
    const world = await context.start({ environment: { STAC_DIR: scenes.folder } });
    const breaches = [];
    const pid = hostOf(world);
    await filesOf(world, world.service);
    const before = memoryKb(pid);
    await enrol(world, scenes, world.service);
    const files = await filesOf(world, world.service);
    for (const fieldId of await untilLooked(files, scenes, context.quietMs(500_000)))
      breaches.push(`I6: ${fieldId} is not looked at whole`);
    const growth = memoryKb(pid) - before;
    if (hostOf(world) !== pid) breaches.push('the host died');
    if (growth > MOST_GROWTH_KB) breaches.push(`the memory grew by ${Math.round(growth / 1024)} MB`);
    const longest = longestRender(world);
    if (longest > LONGEST_MS) breaches.push(`a scene took ${longest} ms`);
    const outcomes = breaches.length === 0 ? await checkDays(files, scenes, breaches) : {};
    if ((outcomes.failed ?? 0) < scenes.days.length / 5 || (outcomes.done ?? 0) === 0)
      breaches.push('the damage was not one of every kind, so nothing was proven');
    const { breaches: found } = await check(world, { quietMs: context.quietMs(60_000) });
    sound.remove();
    const counts = { files: scenes.days.length * DAMAGED, ...outcomes, longestMs: longest };
    return { counts: { ...counts, growthMB: Math.round(growth / 1024) }, breaches: [...breaches, ...found] };
  },
};
