// I1–I5 of jobs, from their rows, their insights and what callers saw.
import { checkTrail } from '../auditTrail.mjs';

const ENDED = ['SUCCEEDED', 'FAILED', 'CANCELLED'];
const SOLUTIONS = { 'partnerAgPowered.gdd': 'gdd', 'partnerAgPowered.smartBoundary': 'boundary' };

const kindOf = ({ solution }) => solution.split('.')[1];
const keyOf = (job) => `${job.tenant}|${kindOf(job)}|${job.jobId}`;

/** The insights of the blob container by job: `tenant|kind|jobId` → ids. */
async function insightsByJob(storage) {
  const byJob = new Map();
  for (const name of await storage.blobNames('insights')) {
    if (!name.endsWith('/record.json')) continue;
    const record = await storage.blob('insights', name);
    // A tombstone: what was there is taken back, and nobody who stood still can bring it back.
    if (record.length === 0) continue;
    const { job } = JSON.parse(record.toString('utf8'));
    const key = keyOf(job);
    byJob.set(key, [...(byJob.get(key) ?? []), name.split('/')[1]]);
  }
  return byJob;
}

/** I5: created ≤ start ≤ end ≤ last action. */
function timesOf({ createdAt, startedAt = createdAt, endedAt = startedAt, lastActionAt }) {
  const times = [createdAt, startedAt, endedAt, lastActionAt];
  return times.every((time, index) => index === 0 || times[index - 1] <= time);
}

/** I1, I3, I5 of one job's row. */
function checkRow(job, insightIds, breaches) {
  const { jobId, status, insightId } = job;
  if (!ENDED.includes(status)) breaches.push(`I1: ${jobId} is ${status}`);
  if (insightIds.length > 1) breaches.push(`I3: ${jobId} has ${insightIds.length} insights`);
  if ((status === 'SUCCEEDED') !== (insightId !== undefined))
    breaches.push(`I3: ${jobId} is ${status}, insight ${insightId}`);
  if (status === 'SUCCEEDED' && !insightIds.includes(insightId))
    breaches.push(`I3: the insight of ${jobId} is not there`);
  if (!timesOf(job)) breaches.push(`I5: the times of ${jobId} run backwards`);
}

/** The work items of jobs: of ended jobs only those that run again have one, and each of those has one. */
function checkItems(rows, jobs, breaches) {
  const items = new Set(
    rows.map(({ rowKey }) => rowKey).filter((rowKey) => /^W\|(?:gdd|smartBoundary)\|/.test(rowKey)),
  );
  for (const job of jobs.filter(({ rerun }) => rerun !== undefined)) {
    const item = `W|${kindOf(job)}|${job.tenant}|${job.jobId}`;
    if (!items.delete(item)) breaches.push(`I1: ${job.jobId} is to run again and has no work item`);
  }
  for (const item of items) breaches.push(`I1: the work item ${item} is still there`);
}

/** How often each of these texts is there. */
function counted(texts) {
  const counts = new Map();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

/** A job stands once on the index of ended jobs, in the list of all jobs and in that of its status, and in no other. */
function checkIndex(rows, jobs, breaches) {
  const of = (prefix) => rows.map(({ rowKey }) => rowKey).filter((rowKey) => rowKey.startsWith(prefix));
  const done = counted(of('DONE|').map((rowKey) => rowKey.slice('DONE|YYYY-MM-DD|'.length)));
  const lists = new Map();
  for (const rowKey of of('LIST|')) {
    const [, tenant, kind, status, , jobId] = rowKey.split('|');
    const key = `${tenant}|${kind}|${jobId}`;
    lists.set(key, [...(lists.get(key) ?? []), status]);
  }
  for (const job of jobs) {
    const count = done.get(keyOf(job)) ?? 0;
    if (count !== 1) breaches.push(`I1: ${job.jobId} stands ${count} times on the index of ended jobs`);
    const listed = (lists.get(keyOf(job)) ?? []).sort().join(', ');
    if (listed !== `*, ${job.status}`) breaches.push(`I1: ${job.jobId}, ${job.status}, stands in the lists ${listed}`);
  }
}

/** Attempts at the jobs that have ended, by the lines that say how: a host that dies before its line leaves it out. */
const attemptsOf = (world) =>
  [...world.logText().matchAll(/"event":"Job:(?:Succeeded|Failed|Cancelled)".*?"attempt":(\d+)/g)].reduce(
    (sum, [, attempts]) => sum + Number(attempts),
    0,
  );

/** I2: of all creates of an id one is accepted, none is refused without a reason, and the winner's parameters hold. */
function checkCreates(job, creates, breaches) {
  const accepted = creates.filter(({ status }) => status === 202);
  const conflicts = creates.filter(({ status }) => status === 409);
  const unknown = creates.filter(({ outcome }) => outcome === 'info');
  const { id } = creates[0];
  if (accepted.length > 1) breaches.push(`I2: ${id} was accepted ${accepted.length} times`);
  if (conflicts.length > 0 && accepted.length + unknown.length === 0)
    breaches.push(`I2: ${id} conflicts although nobody created it`);
  const winner = accepted[0];
  if (winner === undefined) return;
  if (job === undefined) breaches.push(`I1: ${id} was accepted and is lost`);
  else if (!holds(job.parameters, winner.sent.partnerRequestBody)) breaches.push(`I2: ${id} has another's parameters`);
}

/** The stored parameters are what was sent, in canonical form: every value that was sent stands in them. */
function holds(stored, sent) {
  const text = JSON.stringify(stored).toLowerCase();
  return Object.values(sent).every(
    (value) => typeof value === 'object' || text.includes(JSON.stringify(value).toLowerCase()),
  );
}

/** I4: what callers saw after the first terminal status, after an acknowledged cancel and after a refused one. */
function checkSeen(job, calls, breaches, skewMs) {
  const { jobId } = job;
  const fetches = calls.filter(({ op, status }) => op === 'fetch' && status === 200).sort((a, b) => a.t0 - b.t0);
  const firstEnd = fetches.find(({ json }) => ENDED.includes(json.status));
  for (const later of fetches.filter(({ t0 }) => firstEnd !== undefined && t0 >= firstEnd.t1)) {
    if (later.json.status !== firstEnd.json.status)
      breaches.push(`I4: ${jobId} was ${firstEnd.json.status}, then ${later.json.status}`);
    if (later.json.insightId !== firstEnd.json.insightId) breaches.push(`I3: ${jobId} changed its insight`);
  }
  for (const [index, { json, t0 }] of fetches.entries()) {
    const before = fetches.slice(0, index).findLast(({ t1 }) => t1 <= t0);
    if (before !== undefined && before.json.jobLastActionDateTime > json.jobLastActionDateTime)
      breaches.push(`I5: the last action of ${jobId} moved back`);
    if (json.jobProcessingDurationInSeconds < 0) breaches.push(`I5: the duration of ${jobId} is negative`);
    if ((json.status === 'SUCCEEDED') !== (json.insightId !== undefined))
      breaches.push(`I3: a fetch of ${jobId} shows ${json.status} with insight ${json.insightId}`);
  }
  for (const cancel of calls.filter(({ op }) => op === 'cancel')) {
    if (cancel.outcome === 'ok' && job.status !== 'CANCELLED')
      breaches.push(`I4: the cancel of ${jobId} was acknowledged, it is ${job.status}`);
    if (cancel.status === 409 && !(job.lastActionAt <= cancel.t1 + skewMs))
      breaches.push(`I4: the cancel of ${jobId} was refused before it ended`);
  }
}

/** I4: of a job that did not succeed nothing is left: the product has taken it back by itself, and shows it to nobody. */
async function checkTakenBack(world, jobs, insights, breaches) {
  const left = jobs.filter((job) => job.status !== 'SUCCEEDED' && insights.has(keyOf(job)));
  for (const { jobId, status } of left) breaches.push(`I4: the insight of ${jobId}, ${status}, is not taken back`);
  for (const id of left.slice(0, 20).flatMap((job) => insights.get(keyOf(job)))) {
    const { status } = await world.client.insist(() => world.client.insight(id));
    if (status !== 404) breaches.push(`I4: the insight ${id} of a job that did not succeed is answered ${status}`);
  }
}

/** I3, I4: farm data shows the insights of the jobs that succeeded and no other, each with one attachment. */
async function checkPublished(world, jobs, breaches) {
  const rows = await world.storage.rows('farmInsights', "RowKey ge 'a' and RowKey lt 'j'");
  const partsOf = (letter) =>
    rows
      .filter(({ rowKey }) => rowKey.startsWith(`${letter}|`))
      .map(({ value, isWithdrawn }) => ({ id: JSON.parse(value).id, isWithdrawn }));
  const written = partsOf('i');
  const held = written.filter(({ isWithdrawn }) => !isWithdrawn);
  const right = new Set(jobs.flatMap(({ status, insightId }) => (status === 'SUCCEEDED' ? [insightId] : [])));
  if (written.length > jobs.length)
    breaches.push(`I3: ${written.length} insights were published for ${jobs.length} jobs`);
  for (const { id } of held) if (!right.has(id)) breaches.push(`I4: farm data shows the insight ${id} of no job`);
  const attached = partsOf('a').filter(({ isWithdrawn }) => !isWithdrawn).length;
  if (attached > right.size) breaches.push(`I4: farm data shows ${attached} attachments of ${right.size} insights`);
  return { published: written.length, takenBack: written.length - held.length };
}

/** @returns counts of jobs by status, and of published insights */
export async function checkJobs(world, breaches, { clockSkewMs = 0 } = {}) {
  const rows = await world.storage.rows('work');
  const jobs = rows.filter(({ rowKey }) => rowKey.startsWith('JOB|')).map(({ job }) => JSON.parse(job));
  const insights = await insightsByJob(world.storage);
  const byId = new Map(jobs.map((job) => [`${SOLUTIONS[job.solution]}/${job.jobId}`, job]));
  for (const job of jobs) checkRow(job, insights.get(keyOf(job)) ?? [], breaches);
  checkItems(rows, jobs, breaches);
  checkIndex(rows, jobs, breaches);
  const calls = new Map();
  for (const call of world.client.history.filter(({ kind }) => kind !== undefined)) {
    const key = `${call.kind}/${call.id}`;
    calls.set(key, [...(calls.get(key) ?? []), call]);
  }
  for (const [key, list] of calls) {
    const job = byId.get(key);
    const creates = list.filter(({ op }) => op === 'create');
    if (creates.length > 0) checkCreates(job, creates, breaches);
    if (job !== undefined) checkSeen(job, list, breaches, clockSkewMs);
  }
  const published = await checkPublished(world, jobs, breaches);
  await checkTakenBack(world, jobs, insights, breaches);
  const count = (status) => jobs.filter((job) => job.status === status).length;
  const ids = [...insights.values()].flat();
  if (new Set(ids).size !== ids.length) breaches.push('I3: two jobs share an insight');
  return {
    jobs: jobs.length,
    ...Object.fromEntries(ENDED.map((status) => [status.toLowerCase(), count(status)])),
    boundaryJobs: jobs.filter(({ solution }) => SOLUTIONS[solution] === 'boundary').length,
    insights: ids.length,
    ...published,
    ...(world.trail === undefined ? {} : { rowWrites: checkTrail(world.trail, breaches) }),
    attempts: attemptsOf(world),
  };
}
