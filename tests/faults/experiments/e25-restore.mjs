import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { enrol, filesOf, makeScenes } from '../backfill.mjs';
import { check } from '../checker.mjs';
import { inspect, untilLooked } from '../imageryInspection.mjs';
import { fetchAll, plannedJobs, runJobs } from '../jobLoad.mjs';
import { commandOf, refusalOf } from '../operatorCommand.mjs';
import { pause } from '../quiet.mjs';
import { programWith } from '../runningService.mjs';
import { changesWithout } from '../variants.mjs';

async function untilIngested({ client, service }, enrollmentId) {
  const headers = { 'api-key': service.apiKey };
  for (;;) {
    const { json } = await client.insist(() => client.call('get', `/v1/enrollments/${enrollmentId}`, { headers }));
    if (json?.status === 'completed') return;
    await pause(50);
  }
}

/**
 * A day: jobs of both kinds, some done and some open, and fields that were taken in just now: a quick machine would soon
 * have all of their images, and nothing would be left to lose.
 */
async function liveADay(world, scenes, jobs) {
  world.slowJobs(300);
  // Callers go on through it all, as they do.
  const callers = runJobs(world, jobs);
  await pause(6_000);
  await untilIngested(world, await enrol(world, scenes, world.service));
  return { callers };
}

export const experiment = {
  id: 'E25',
  restsOn: ['operate', 'storage', 'work'],
  title: 'the restore drill: run, export while it works, lose every row and message, restore, go on',
  passLine: 'every job and every field on each day that was accepted before the export ends as promised, once',
  run: async (context) => {
    const scenes = makeScenes(context.size(8, 60), context.full ? 8 : 4);
    const world = await context.start({ environment: { STAC_DIR: scenes.folder } });
    const folder = mkdtempSync(join(tmpdir(), 'drill-'));
    const program = await programWith(changesWithout(context.without), 'backup');
    const backup = commandOf(program);
    const breaches = [];
    const jobs = plannedJobs(world, { count: context.size(40, 400), boundaryShare: 0.05, cancelShare: 0.1 });
    const { callers } = await liveADay(world, scenes, jobs);
    // As a lost account leaves it: the host is gone in the middle of its work, and nothing it does comes after.
    world.hosts[0].freeze();
    const exported = await backup(world, 'export', folder);
    const lost = await world.storage.destroy();
    const startedAt = Date.now();
    const restored = await backup(world, 'import', folder);
    const refusal = await refusalOf(() => backup(world, 'import', folder));
    if (!refusal?.includes('are not empty')) breaches.push('a restore into tables that are not empty was not refused');
    world.hosts[0].kill();
    await callers;
    const files = await filesOf(world, world.service);
    for (const fieldId of await untilLooked(files, scenes, context.quietMs(10 * 60_000)))
      breaches.push(`I6: ${fieldId} is not looked at whole`);
    const made = breaches.length === 0 ? await inspect(files, scenes, breaches) : new Map();
    await fetchAll(world, jobs);
    const { counts, breaches: found } = await check(world, { quietMs: context.quietMs(300_000) });
    scenes.remove();
    for (const used of [folder, dirname(program)]) rmSync(used, { recursive: true, force: true });
    const rows = Object.values(exported.rows).reduce((sum, count) => sum + count, 0);
    const seconds = Math.round((Date.now() - startedAt) / 1000);
    const mended = JSON.stringify(restored.mended);
    return {
      counts: { rows, lostRows: lost, mended, secondsToQuiet: seconds, files: made.size, ...counts },
      breaches: [...breaches, ...found],
    };
  },
};
