// Places where a host can be made to die, between two steps of a use case.
//
// A point is armed by a file of its name in the folder that CRASH_DIRECTORY names. The host that comes there first
// renames the file, which one host alone can do, and kills itself with SIGKILL.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A point before a text of a file. */
export const before = (name, file, text) => ({ name, file, from: text, to: `crashAt('${name}');\n${text}` });
/** The same, for those alone of whom the condition is true. */
export const beforeIf = (name, file, text, condition) => ({
  name,
  file,
  from: text,
  to: `if (${condition}) crashAt('${name}');\n${text}`,
});
/** A point after it. */
export const after = (name, file, text) => ({ name, file, from: text, to: `${text}\ncrashAt('${name}');` });
export const afterIf = (name, file, text, condition) => ({
  name,
  file,
  from: text,
  to: `${text}\nif (${condition}) crashAt('${name}');`,
});
/** A point after a statement that a condition or a loop stands before. */
export const afterOne = (name, file, text) => ({ name, file, from: text, to: `{ ${text}\ncrashAt('${name}'); }` });

const CREATE = 'shared/jobs/operations/createJob.ts';
const CANCEL = 'shared/jobs/operations/cancelJob.ts';
export const HANDLE = 'shared/work/handleWork.ts';
const SWEEP = 'shared/work/upkeep/sweepWork.ts';
const ATTEMPT = 'shared/jobs/steps/attemptStep.ts';
const LANES = 'shared/work/lanes/lanes.ts';
const PUBLISH = 'shared/jobs/insight/publishInsight.ts';
const INSIGHTS = 'shared/jobs/insight/blobInsightStore.ts';
const SUBMIT = 'shared/enrollments/submission/submitEnrollment.ts';

const INGEST = 'shared/enrollments/ingest/ingestEnrollment.ts';
const WRITE = 'shared/imagery/units/writeFieldDate.ts';

const insert =
  'if (!(await jobs.insert(job, lane === undefined ? item : inLane(item, { lane, askedAt: now })))) throw taken();';
const announce = 'await work.send(workKey);';
export const claim = 'const written = await ports.store.update(stored, item, step.claim?.(item));';
const worked = 'const outcome = await this.#options.work(this.#job, insightIdOf(this.#job), attempt.signal);';
export const end = 'if (!(await write(ports, attempt, outcome))) return false;';
const waited = 'await sendMessage(ports, await attempt.giveBack(wait, beside));';
const failed = 'await sendMessage(ports, await attempt.giveBack(next, beside));';
const givenBack = 'const dueAt = messageDueAt(item);';
const sentLater = '.send({ kind, id }, Math.max(0, dueAt - clock.now().getTime()))\n    .catch(() => undefined);';
const blob = 'if (!(await insights.put(job, insight))) return false;';
const patch = 'await dataManager.putInsight(key, insight, attempt.signal);';
const cancelled =
  'if (!(await jobs.replace(stored, cancelled, open, { item, beside: telling.actions }))) return undefined;';
const cancelSent = 'if (item !== undefined && item.notBefore <= now) await work.send(item);';
const withdrawn = 'const dataManager = await dataManagerFor(tenant);';
const unattached =
  'for (const id of attachments) if (await isWanted()) await dataManager.removeInsightAttachment(key, id);';
const removed = 'if (await isWanted()) await insights.bury(tenant, insightId, epoch);';
const buried = 'for (const { name } of files) await bury(this.#blobs, name, epoch);';
const postponed =
  'if ((await store.update(stored, resent(stored.item, clock.now().getTime()))) === undefined) return false;';
const resent = 'await queue.send({ kind, id });';
const asked = 'await laneStore.ask(lane, ticket);\n    lookSoon(lane);';
const given = 'if (!isSame && !(await laneStore.advance(lane, reading, next))) continue;';
const promoted = 'await sendTo(ports, ticket);';
const leaving = "if (outcome.kind === 'done' || outcome.leaving !== undefined) {";

// The kernel does work of every kind and step: what is so when it is at the one that is meant.
const succeeds = `outcome.kind === 'done' && attempt.item.kind === 'gdd' && attempt.item.place === undefined`;
const isTakenBack = `outcome.kind === 'done' && attempt.item.place?.step === 'withdraw'`;
const hasFailed = 'item.failure !== undefined';
const isWithdrawal = `item.failure === undefined && item.place?.step === 'withdraw'`;
const isWait = `item.failure === undefined && item.place?.step !== 'withdraw'`;
const inputs = 'await ports.inputs.put(enrollment, submission);';
const rows = 'const isFirst = await ports.enrollments.insert(enrollment, kept);';
const yielded = 'await ports.inputs.remove(own).catch(() => undefined);';
const told = 'await ports.work.send(ingestWork(enrollment));';

const batch = 'written = await ingestBatch(ports, stored.enrollment, batch);';
const ingestEnd =
  'unchanged(await ports.tellOfEnrollment(key, () => enrollments.replace(stored, end)));\n  const { status, processedFields, failedFields } = end;';
const backfills = `await askBackfill(ports.enqueuer, { ...key, ...days, why: 'new' });`;
const searched = 'const works = await this.#search(attempt, await targetsOf(this.#ports, this.#backfill));';
const layers = 'await eachOf(files, files.length, put);';
const item = "const item = written.includes(false) ? 'outranked' : await writeItem(ports, task, { files, read });";
const index = 'const etag = await ports.imagery.putIndex(place, document, stored.index?.etag);';

/** The points of jobs, submissions, ingest and imagery: `{ name, file, from, to }`. */
export const crashPoints = [
  before('create-before-insert', CREATE, insert),
  after('create-after-insert', CREATE, insert),
  afterOne('create-after-enqueue', CREATE, announce),
  before('claim-before-write', HANDLE, claim),
  afterIf('claim-after-write', HANDLE, claim, 'written !== undefined'),
  after('work-done', ATTEMPT, worked),
  beforeIf('finish-before-write', HANDLE, end, succeeds),
  afterIf('finish-after-write', HANDLE, end, succeeds),
  beforeIf('fail-before-write', HANDLE, waited, 'outcome.leaving !== undefined'),
  beforeIf('fail-after-write', HANDLE, givenBack, isWithdrawal),
  afterIf('fail-after-message', HANDLE, sentLater, isWithdrawal),
  beforeIf('wait-before-write', HANDLE, waited, 'outcome.leaving === undefined'),
  beforeIf('wait-after-write', HANDLE, givenBack, isWait),
  afterIf('wait-after-message', HANDLE, sentLater, isWait),
  before('retry-before-write', HANDLE, failed),
  beforeIf('retry-after-write', HANDLE, givenBack, hasFailed),
  afterIf('retry-after-message', HANDLE, sentLater, hasFailed),
  before('publish-before-blob', PUBLISH, blob),
  after('publish-after-blob', PUBLISH, blob),
  after('publish-after-data-manager', PUBLISH, patch),
  before('insight-before-record', INSIGHTS, 'const stored: StoredInsight'),
  before('cancel-before-write', CANCEL, cancelled),
  after('cancel-after-write', CANCEL, cancelled),
  beforeIf('cancelWaiting-before-message', CANCEL, cancelSent, 'item !== undefined && item.notBefore <= now'),
  afterIf('cancelWaiting-after-message', CANCEL, cancelSent, 'item !== undefined && item.notBefore <= now'),
  before('withdraw-before-data-manager', PUBLISH, withdrawn),
  after('withdraw-after-attachment', PUBLISH, unattached),
  before('withdraw-before-blob', PUBLISH, removed),
  after('withdraw-after-file', INSIGHTS, buried),
  after('withdraw-after-blob', PUBLISH, removed),
  beforeIf('withdraw-before-end', HANDLE, end, isTakenBack),
  afterIf('withdraw-after-end', HANDLE, end, isTakenBack),
  before('sweep-before-postpone', SWEEP, postponed),
  after('sweep-after-postpone', SWEEP, postponed),
  after('sweep-after-enqueue', SWEEP, resent),
  before('lane-before-ticket', LANES, asked),
  after('lane-after-ticket', LANES, asked),
  before('lane-before-slot', LANES, given),
  after('lane-after-slot', LANES, given),
  afterOne('lane-after-message', LANES, promoted),
  after('lane-before-leave', HANDLE, leaving),
  before('submit-before-inputs', SUBMIT, inputs),
  after('submit-after-inputs', SUBMIT, inputs),
  after('submit-after-rows', SUBMIT, rows),
  after('submit-after-enqueue', SUBMIT, told),
  before('repeat-before-remove', SUBMIT, yielded),
  after('repeat-after-remove', SUBMIT, yielded),
  before('ingest-before-fields', INGEST, batch),
  after('ingest-after-fields', INGEST, batch),
  before('ingest-before-end', INGEST, ingestEnd),
  after('ingest-after-end', INGEST, ingestEnd),
  before('plan-before-backfills', 'shared/imagery/discovery/planEnrollment.ts', backfills),
  after('plan-after-backfills', 'shared/imagery/discovery/planEnrollment.ts', backfills),
  after('backfill-after-search', 'shared/imagery/discovery/runBackfill.ts', searched),
  before('render-before-layers', WRITE, layers),
  after('render-after-layers', WRITE, layers),
  after('render-after-item', WRITE, item),
  before('render-before-index', 'shared/imagery/documents/updateIndex.ts', index),
];

/** The changes of an app that dies at armed points; further points may be handed in. */
export const crashChanges = (points = crashPoints) => [
  ...chained(points),
  {
    file: 'functions/main.ts',
    from: '/** Filled in by the bundler',
    to: `import { renameSync } from 'node:fs';
import { join } from 'node:path';
(globalThis as unknown as { crashAt: (name: string) => void }).crashAt = (name) => {
  const file = join(process.env['CRASH_DIRECTORY'] ?? '', name);
  try {
    renameSync(file, file + '.reached-' + Date.now());
  } catch {
    return;
  }
  process.kill(process.pid, 'SIGKILL');
};
/** Filled in by the bundler`,
  },
];

/** Points at the two sides of one text are one change of it. */
function chained(points) {
  const byText = new Map();
  for (const point of points) {
    const key = `${point.file}\n${point.from}`;
    const known = byText.get(key);
    // What stands around the text differs, the text itself is there once.
    byText.set(key, known === undefined ? point : { ...known, to: point.to.replace(point.from, () => known.to) });
  }
  return [...byText.values()];
}

/** The armed and reached points of one service. */
export class CrashBox {
  constructor(directory) {
    this.directory = directory;
    mkdirSync(directory, { recursive: true });
  }

  arm(name) {
    writeFileSync(join(this.directory, name), '');
  }

  isArmed(name) {
    return existsSync(join(this.directory, name));
  }

  /** How often the point was reached. */
  reached(name) {
    return readdirSync(this.directory).filter((file) => file.startsWith(`${name}.reached-`)).length;
  }
}
