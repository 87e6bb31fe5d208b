import { request } from 'node:http';
import { check } from '../checker.mjs';
import { crashPoints } from '../crashPoints.mjs';
import { pause } from '../quiet.mjs';
import { submissionForm } from '../submissions.mjs';

const SHARES = [0.1, 0.5, 0.9, 1];
/** Between the last byte and the kill: from before the host has looked at the body to after the answer. */
const LATEST_KILL_MS = 1_500;
/** Where a death leaves inputs without an enrollment. */
const ORPHANING = 'submit-after-inputs';
const A_DAY_AND_AN_HOUR_MS = 25 * 3_600_000;
const FIELDS = 20;
const CORNERS = 8_000;

/** A field with so many corners that a submission of some has megabytes. */
const roundField = (fieldId, index) => {
  const corners = Array.from({ length: CORNERS }, (_, number) => {
    const angle = (number / CORNERS) * 2 * Math.PI;
    return [13 + index / 50 + 0.005 * Math.cos(angle), 48 + 0.004 * Math.sin(angle)];
  });
  const geometry = { type: 'Polygon', coordinates: [[...corners, corners[0]]] };
  return { type: 'Feature', properties: { field_id: fieldId }, geometry };
};

/** Bytes and content type of a submission whose field ids begin with a prefix. */
async function bodyOf(prefix) {
  const features = Array.from({ length: FIELDS }, (_, index) => roundField(`${prefix}-${index}`, index));
  const wire = new Response(submissionForm({ geojson: { type: 'FeatureCollection', features } }));
  return { type: wire.headers.get('content-type'), bytes: Buffer.from(await wire.arrayBuffer()) };
}

/** Sends a share of the body and gives the answer if one came; calls `sent` after the last byte. */
const send = (world, { type, bytes }, { share, isChunked, sent }) =>
  new Promise((resolve) => {
    const length = isChunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': bytes.length };
    const headers = { 'api-key': world.service.apiKey, 'content-type': type, ...length };
    const call = request(`${world.service.baseUrl}/v1/enrollments`, { method: 'POST', headers }, (answer) => {
      const chunks = [];
      answer.on('data', (chunk) => chunks.push(chunk)).on('error', () => resolve({}));
      answer.on('end', () => resolve({ status: answer.statusCode, text: Buffer.concat(chunks).toString('utf8') }));
    });
    call.on('error', () => resolve({}));
    call.setTimeout(30_000, () => call.destroy());
    call.write(bytes.subarray(0, Math.floor(bytes.length * share)), (error) => {
      if (error) return;
      if (share === 1) call.end();
      sent();
    });
  });

/**
 * Sends a share of the body, kills the host, and gives the answer if one came.
 *
 * @param delayMs from the last byte to the kill; undefined: as soon as there is an answer, or the connection ends
 */
async function sendAndKill(world, body, { share, delayMs, isChunked }) {
  const kill = () => world.hosts[0].kill();
  let killed;
  const sent = () => {
    if (delayMs !== undefined) killed = pause(delayMs).then(kill);
  };
  const answer = await send(world, body, { share, isChunked, sent });
  if (delayMs === undefined) kill();
  // The kill of an upload that was answered before it must not strike the next one.
  await killed;
  return answer;
}

const untilServed = ({ client }) => client.insist(() => client.call('health', '/health'));

/** Ids of submissions whose inputs are stored though there is no enrollment. */
async function orphansOf({ storage }) {
  const rows = await storage.rows('enrollments', "RowKey ge 'E_' and RowKey lt 'E`'");
  const known = rows.map(({ rowKey }) => rowKey.slice(2));
  const names = await storage.blobNames('enrollment-inputs');
  const isUuid = /[0-9a-f]{8}-[0-9a-f-]{27}/;
  const ids = names.flatMap((name) => isUuid.exec(name.slice(name.indexOf('/')))?.[0] ?? []);
  return [...new Set(ids)].filter((id) => !known.some((key) => key.includes(id)));
}

export const experiment = {
  id: 'E14',
  restsOn: ['enrollments', 'http', 'storage', 'work'],
  title: 'uploads during which the host is killed',
  passLine:
    '0 partial enrollments; what was answered 202 is there and ingested; 0 inputs without an enrollment a day later',
  run: async (context) => {
    const rounds = context.size(6, 25);
    const world = await context.start({ clock: true, points: crashPoints });
    const { client, random } = world;
    const breaches = [];
    const counts = { kills: 0, accepted: 0, cut: 0 };
    for (const share of SHARES) {
      for (let round = 0; round < rounds; round += 1) {
        const body = await bodyOf(`${share}-${round}`);
        // Of those sent whole some die between inputs and rows, some right after the answer, some at any time.
        const isOrphaned = share === 1 && round % 3 === 1;
        if (isOrphaned) world.points.arm(ORPHANING);
        const isAnswered = isOrphaned || (share === 1 && round % 3 === 2);
        const delayMs = isAnswered ? undefined : random() * (share === 1 ? LATEST_KILL_MS : 50);
        const { status, text } = await sendAndKill(world, body, { share, delayMs, isChunked: round % 2 === 0 });
        counts.kills += 1;
        if (status === 202) counts.accepted += 1;
        else counts.cut += 1;
        if (status === 202) client.history.push({ op: 'submit', status, json: JSON.parse(text), outcome: 'ok' });
        if (status === 202 && share < 1) breaches.push(`${share} of a submission was accepted`);
        await pause(200);
        await untilServed(world);
      }
    }
    const { counts: found, breaches: more } = await check(world, { quietMs: context.quietMs(180_000) });
    counts.orphans = (await orphansOf(world)).length;
    world.hosts[0].setClock(A_DAY_AND_AN_HOUR_MS);
    const deadline = Date.now() + 60_000;
    while ((await orphansOf(world)).length > 0 && Date.now() < deadline) await pause(1_000);
    for (const id of await orphansOf(world)) breaches.push(`the inputs of ${id} are there a day later`);
    if (counts.accepted === 0 || counts.orphans === 0)
      breaches.push('no kill came between inputs and answer: nothing was proven');
    return { counts: { ...counts, ...found }, breaches: [...breaches, ...more] };
  },
};
