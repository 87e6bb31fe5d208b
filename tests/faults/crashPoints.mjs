// Places where a host can be made to die, between two steps of a use case.
//
// A point is armed by a file of its name in the folder that CRASH_DIRECTORY names. The host that comes there first
// renames the file, which one host alone can do, and kills itself with SIGKILL.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A point before a text of a file. */
export const before = (name, file, text) => ({ name, file, from: text, to: `crashAt('${name}');\n${text}` });
/** A point after it. */
export const after = (name, file, text) => ({ name, file, from: text, to: `${text}\ncrashAt('${name}');` });

const CREATE = 'shared/jobs/createJob.ts';
const RUN = 'shared/jobs/runJob.ts';
const CANCEL = 'shared/jobs/cancelJob.ts';
const REVIVE = 'shared/jobs/reviveJob.ts';
const LINES = 'shared/jobs/lines.ts';
const PUBLISH = 'shared/insights/publishInsight.ts';
const INSIGHTS = 'shared/insights/blobInsightStore.ts';
const SUBMIT = 'shared/enrollments/submitEnrollment.ts';

const INGEST = 'shared/enrollments/ingestEnrollment.ts';
const WRITE = 'shared/imagery/documents/writeFieldDate.ts';

const insert = 'if (!(await jobs.insert(job))) throw taken();';
const announce = 'await jobQueues[key.solution].enqueue(key, 0).catch(() => undefined);';
const claim = 'const mine = await ports.jobs.replace(';
const claimed = 'return new Attempt(ports, mine, leaseMs);';
const worked =
  'const outcome = await attempt.untilLost(options.work(attempt.job, insightIdOf(attempt.job), attempt.signal));';
const flip = `const done = await endJob(ports)(stored, { status: 'SUCCEEDED', insightId, ...rerun });`;
const waited = 'const next = await ports.jobs.replace(stored, waiting(stored.job, outcome, now));';
const released = 'if ((await ports.jobs.replace(stored, next.job)) === undefined) throw new AttemptLost();';
const blob = 'if (!(await insights.put(job, insight))) throw new AttemptLost();';
const patch = 'await dataManager.putInsight(key, insight, signal);';
const cancelled = `const cancelled = await endJob(ports)(stored, { status: 'CANCELLED' });`;
const withdrawn = 'const { dataManager } = await dataManagerFor(tenant);';
const removed = 'if (await isWanted()) await insights.bury(tenant, insightId, epoch);';
const taken = 'await jobs.dropOpen(open);';
const postponed = `if (!(await jobs.postpone(open, now + LOST_MESSAGE_MS))) return 'not due';`;
const resent = 'await jobQueues[open.solution].enqueue(open, 0);';
const asked = 'await lineStore.ask(line, ticket);\n      lookForComers(line);';
const given = 'if (!isSame && !(await lineStore.advance(line, reading, next))) continue;';
const sent = 'if (nameOf(ticket) !== present) await jobQueues[ticket.solution].enqueue(ticket, 0);';
const left = 'await lines.leaveAll(stored.job).catch((error: unknown) => {';
const inputs = 'await ports.inputs.put(enrollment, { request: submission.request, geojson: submission.geojson });';
const rows = 'const isFirst = await ports.enrollments.insert(enrollment, kept);';
const yielded = 'await ports.inputs.remove(own).catch(() => undefined);';
const told = 'await ports.work.send(ingestWork(enrollment));';

const batch = 'written = await ingestBatch(ports, stored.enrollment, batch);';
const end = 'unchanged(await enrollments.endIngest(stored, end, schedule));';
const searches = `await ports.work.add(due.customer, 'search', searches);`;
const promoted = 'const promoted = await work.promote(customer, kind, activeLimits[kind]);';
const layers = 'await eachOf(files, files.length, put);';
const item = "const item = written.includes(false) ? 'outranked' : await writeItem(ports, task, { files, read });";
const index = 'const etag = await ports.imagery.putIndex(place, document, stored.index?.etag);';

/** The points of jobs, submissions, ingest and imagery: `{ name, file, from, to }`. */
export const crashPoints = [
  before('create-before-insert', CREATE, insert),
  after('create-after-insert', CREATE, insert),
  after('create-after-enqueue', CREATE, announce),
  before('claim-before-write', RUN, claim),
  before('claim-after-write', RUN, claimed),
  after('work-done', RUN, worked),
  before('finish-before-write', RUN, flip),
  after('finish-after-write', RUN, flip),
  before('wait-before-write', RUN, waited),
  after('wait-after-write', RUN, waited),
  before('retry-before-write', RUN, released),
  after('retry-after-write', RUN, released),
  before('publish-before-blob', PUBLISH, blob),
  after('publish-after-blob', PUBLISH, blob),
  after('publish-after-data-manager', PUBLISH, patch),
  before('insight-before-record', INSIGHTS, 'const stored: StoredInsight'),
  before('cancel-before-write', CANCEL, cancelled),
  after('cancel-after-write', CANCEL, cancelled),
  before('withdraw-before-data-manager', PUBLISH, withdrawn),
  before('withdraw-before-blob', PUBLISH, removed),
  after('withdraw-after-blob', PUBLISH, removed),
  after('withdraw-after-index', 'shared/jobs/withdrawInsight.ts', taken),
  before('sweep-before-postpone', REVIVE, postponed),
  after('sweep-after-postpone', REVIVE, postponed),
  after('sweep-after-enqueue', REVIVE, resent),
  before('line-before-ticket', LINES, asked),
  after('line-after-ticket', LINES, asked),
  before('line-before-place', LINES, given),
  after('line-after-place', LINES, given),
  { name: 'line-after-message', file: LINES, from: sent, to: `${sent}\ncrashAt('line-after-message');` },
  before('line-before-leave', 'shared/jobs/endJob.ts', left),
  before('submit-before-inputs', SUBMIT, inputs),
  after('submit-after-inputs', SUBMIT, inputs),
  after('submit-after-rows', SUBMIT, rows),
  after('submit-after-enqueue', SUBMIT, told),
  before('repeat-before-remove', SUBMIT, yielded),
  after('repeat-after-remove', SUBMIT, yielded),
  before('ingest-before-fields', INGEST, batch),
  after('ingest-after-fields', INGEST, batch),
  before('ingest-before-end', INGEST, end),
  after('ingest-after-end', INGEST, end),
  after('plan-after-searches', 'shared/imagery/discovery/planImagery.ts', searches),
  after('activate-after-promote', 'shared/imagery/work/runWork.ts', promoted),
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
