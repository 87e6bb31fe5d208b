import { createHash } from 'node:crypto';
import { enrol, filesOf, makeScenes, newCustomer } from '../backfill.mjs';
import { check } from '../checker.mjs';
import { crashPoints } from '../crashPoints.mjs';
import { inspect, untilLooked } from '../imageryInspection.mjs';
import { killHosts } from '../jobLoad.mjs';
import { pause } from '../quiet.mjs';
import { pick } from '../random.mjs';

const LIMIT_MS = 10 * 60_000;
/** Work has got its slot, and nobody is told. */
const LOST_MESSAGE = 'lane-after-slot';

/** A customer who downloads files while they are being made: what was seen, by name. */
class Reader {
  #files;
  #random;
  #isDone = false;
  #work;
  /** Checksums of layers, by name. */
  seen = new Map();

  constructor(files, random) {
    this.#files = files;
    this.#random = random;
    this.#work = this.#read();
  }

  async #read() {
    while (!this.#isDone) {
      const names = (await this.#files.list()).filter((name) => name.endsWith('.tiff'));
      for (let count = 0; count < Math.min(10, names.length); count += 1) {
        const name = pick(this.#random, names);
        const bytes = await this.#files.read(name);
        this.seen.set(name, `1220${createHash('sha256').update(bytes).digest('hex')}`);
      }
      await pause(500);
    }
  }

  async stop() {
    this.#isDone = true;
    await this.#work;
  }
}

/** The same backfill for a customer whom nobody disturbs. */
async function calmChecksums(world, scenes, breaches) {
  const calm = newCustomer(world, 'calm');
  await enrol(world, scenes, calm);
  const files = await filesOf(world, calm);
  for (const fieldId of await untilLooked(files, scenes, LIMIT_MS)) breaches.push(`calm: ${fieldId} is not done`);
  return inspect(files, scenes, breaches);
}

export const experiment = {
  id: 'E15',
  restsOn: ['imagery', 'work', 'storage'],
  title: 'a backfill while hosts are killed and a customer reads along',
  passLine: 'exactly the files of every field, day and layer, all whole and as undisturbed; no reader saw another byte',
  run: async (context) => {
    const fields = context.size(40, 250);
    const scenes = makeScenes(fields, context.full ? 30 : 8);
    const world = await context.start({ hosts: 2, points: crashPoints, environment: { STAC_DIR: scenes.folder } });
    const breaches = [];
    // Kills at random seldom meet the moment in which a message is lost; one host dies in it for certain.
    world.points.arm(LOST_MESSAGE);
    await enrol(world, scenes, world.service);
    const files = await filesOf(world, world.service);
    const reader = new Reader(files, world.random);
    const kills = await killHosts(world, context.full ? 30 : 6);
    const lastKill = Date.now();
    for (const fieldId of await untilLooked(files, scenes, context.quietMs(LIMIT_MS)))
      breaches.push(`I6: ${fieldId} is not looked at whole`);
    if (world.points.reached(LOST_MESSAGE) === 0) breaches.push(`${LOST_MESSAGE} was not reached`);
    const seconds = Math.round((Date.now() - lastKill) / 1000);
    await reader.stop();
    const disturbed = breaches.length === 0 ? await inspect(files, scenes, breaches) : new Map();
    for (const [name, checksum] of reader.seen)
      if (disturbed.size > 0 && disturbed.get(name) !== checksum)
        breaches.push(`I7: a reader saw other bytes of ${name}`);
    for (const [name, checksum] of breaches.length === 0 ? await calmChecksums(world, scenes, breaches) : [])
      if (disturbed.get(name) !== checksum) breaches.push(`I7: ${name} has other bytes than undisturbed`);
    const { breaches: found } = await check(world, { quietMs: context.quietMs(120_000) });
    scenes.remove();
    const counts = { fields, days: scenes.days.length, kills, files: disturbed.size, readAlong: reader.seen.size };
    return { counts: { ...counts, secondsAfterLastKill: seconds }, breaches: [...breaches, ...found] };
  },
};
