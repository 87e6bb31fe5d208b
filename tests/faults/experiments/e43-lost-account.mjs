import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { enrol, filesOf, makeScenes } from '../backfill.mjs';
import { untilLooked, inspect } from '../imageryInspection.mjs';
import { plannedJobs, runJobs } from '../jobLoad.mjs';
import { lose } from '../lostAccount.mjs';
import { commandOf, refusalOf } from '../operatorCommand.mjs';
import { pause } from '../quiet.mjs';
import { programWith } from '../runningService.mjs';
import { changesWithout } from '../variants.mjs';

const NAME = 'before-the-loss';

/** Waits until a call answers what is wanted. @returns that answer */
async function until(call, isGood, limitMs) {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const { status, json } = await call();
    if ((status === 200 && isGood(json)) || Date.now() > deadline) return { status, json };
    await pause(200);
  }
}

const hasEnded = ({ status }) => !['WAITING', 'RUNNING'].includes(status);

/** What callers of all kinds are answered. */
async function servedBy(world, { jobs, enrollmentId, limitMs }) {
  const { client, service } = world;
  const headers = { 'api-key': service.apiKey };
  const answers = {};
  for (const { kind, id } of jobs) {
    const { json } = await until(() => client.fetch(kind, id), hasEnded, limitMs);
    answers[`job ${id}`] = json?.status;
  }
  const enrollment = `/v1/enrollments/${enrollmentId}`;
  const { json } = await until(
    () => client.call('get', enrollment, { headers }),
    (body) => body.status === 'completed',
    limitMs,
  );
  answers.enrollment = [json?.status, json?.field_count];
  const fields = await client.insist(() => client.call('fields', '/v1/fields?limit=100', { headers }));
  answers.fields = [fields.status, fields.json?.items?.map(({ field_id: id, geometry }) => [id, geometry])];
  const farmField = `/parties/${service.partyId}/fields/${service.fieldIds[0]}?api-version=2023-11-01-preview`;
  const farm = await client.insist(() =>
    client.call('farm', farmField, { headers: { authorization: `Bearer ${service.jwt}` } }),
  );
  answers['field of a party'] = [farm.status, farm.json?.name, farm.json?.eTag];
  return answers;
}

/** What was not served even before the loss would be the same after it. */
const unserved = ({ enrollment, fields, 'field of a party': farm }) =>
  enrollment[0] === 'completed' && fields[0] === 200 && fields[1].length > 0 && farm[0] === 200
    ? []
    : [`before the loss: ${JSON.stringify({ enrollment, fields, farm })}`];

const differences = (before, after) =>
  Object.keys(before).flatMap((what) => {
    const [was, is] = [JSON.stringify(before[what]), JSON.stringify(after[what])];
    return was === is ? [] : [`${what}: was ${was}, is ${is}`];
  });

/** Waits until images that are lost, and are told as failed meanwhile, are made again. @returns fields without them */
async function untilMade(files, scenes, limitMs) {
  const deadline = Date.now() + limitMs;
  const open = await untilLooked(files, scenes, limitMs);
  const isFailed = async (fieldId) => {
    const index = await files.json(`sentinel-2/${fieldId}/index.json`).catch(() => undefined);
    return index === undefined || index['fieldimagery:dates'].some(({ outcome }) => outcome === 'failed');
  };
  const failed = async () => {
    const found = [];
    for (const fieldId of scenes.fieldIds) if (await isFailed(fieldId)) found.push(fieldId);
    return found;
  };
  let left = open.length > 0 ? open : await failed();
  while (left.length > 0 && Date.now() < deadline) {
    await pause(1_000);
    left = await failed();
  }
  return left;
}

/** Jobs of which the loss finds some ended and some at work. */
async function live(world, { early, late }) {
  await runJobs(world, early);
  world.slowJobs(2_000);
  await runJobs(world, late);
  await pause(500);
}

export const experiment = {
  id: 'E43',
  restsOn: ['operate', 'storage', 'farm'],
  title: 'the drill across regions: data and images are gone, the exports of another account are restored',
  passLine: 'jobs, enrollments, fields and farm data are served as before, open jobs end, images are made again',
  run: async (context) => {
    const scenes = makeScenes(context.size(4, 40), 4);
    const world = await context.start({ environment: { STAC_DIR: scenes.folder } });
    const program = await programWith(changesWithout(context.without), 'backup');
    const backup = commandOf(program);
    const breaches = [];
    const limitMs = context.quietMs(120_000);
    const early = plannedJobs(world, { count: context.size(12, 200), boundaryShare: 0.05, prefix: 'early' });
    const late = plannedJobs(world, { count: context.size(12, 200), prefix: 'late' });
    const enrollmentId = await enrol(world, scenes, world.service);
    await untilLooked(await filesOf(world, world.service), scenes, context.quietMs(300_000));
    await live(world, { early, late });
    const before = await servedBy(world, { jobs: early, enrollmentId, limitMs });
    breaches.push(...unserved(before));
    world.hosts[0].freeze();
    const exported = await backup(world, 'now', NAME);
    const refusal = await refusalOf(() => backup(world, 'now', NAME));
    if (!refusal?.includes('never written over')) breaches.push('an export was written over an earlier one');
    const lost = await lose(world);
    const startedAt = Date.now();
    const from = world.settings.BACKUP_STORAGE__blobServiceUri;
    const { restored } = await backup(world, 'restore', 'latest', '--from', from);
    if (restored !== NAME) breaches.push(`restored was ${restored}, the latest is ${NAME}`);
    world.hosts[0].kill();
    const after = await servedBy(world, { jobs: [...early, ...late], enrollmentId, limitMs });
    breaches.push(...differences(before, after));
    for (const { id } of late)
      if (after[`job ${id}`] !== 'SUCCEEDED') breaches.push(`I1: ${id}, open at the loss, is ${after[`job ${id}`]}`);
    await commandOf('build/local/imagery.mjs')(world, 'remake', world.service.customer).catch(({ stderr }) =>
      breaches.push(`images can not be made again: ${stderr}`),
    );
    const files = await filesOf(world, world.service);
    for (const fieldId of await untilMade(files, scenes, context.quietMs(300_000)))
      breaches.push(`I6: ${fieldId} is not looked at whole`);
    const made = breaches.length === 0 ? await inspect(files, scenes, breaches) : new Map();
    scenes.remove();
    rmSync(dirname(program), { recursive: true, force: true });
    const rows = Object.values(exported.rows).reduce((sum, count) => sum + count, 0);
    const seconds = Math.round((Date.now() - startedAt) / 1000);
    return {
      counts: { rows, ...lost, jobs: early.length + late.length, files: made.size, secondsToServe: seconds },
      breaches,
    };
  },
};
