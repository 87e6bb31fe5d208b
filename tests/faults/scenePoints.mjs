// Places between a scene that the catalogue shows and the files of all customers where a host can be made to die, and
// between an enrollment and its backfills.
import { after, afterIf, afterOne, before, beforeIf, claim, end, HANDLE } from './crashPoints.mjs';

const FEED = 'shared/imagery/discovery/readFeed.ts';
const TAKE_IN = 'shared/imagery/discovery/takeIn.ts';
const PLAN = 'shared/imagery/discovery/planEnrollment.ts';
const INGEST = 'shared/enrollments/ingest/ingestEnrollment.ts';
const FAN_OUT = 'shared/imagery/units/fanOut.ts';
const ENQUEUE = 'shared/work/enqueue.ts';
const RUN = 'shared/imagery/units/runUnit.ts';
const RENDER = 'shared/imagery/units/renderScenes.ts';
const RECORDS = 'shared/imagery/records/recordFieldDates.ts';

const row = `if (news !== 'none' && !(await scenes.put(row, stored?.etag))) return undefined;`;
const message = 'await askProduct(key);';
const cursor = 'const isMoved = await move(cursor);';
/** A poll that has found something. */
const moving = (name) => `if (poll.count.opened > 0) crashAt('${name}');`;
const units = 'await Promise.all(cut.map((unit) => asking(() => ask(unit))));';
const fannedOut = `await ports.scenes.put({ ...product, fanOut: 'done' }, etag);`;
const asked = 'if (await store.insert(item)) return begin(item);';
const sent = 'if (dueAt !== undefined) await send(item, Math.max(0, dueAt - now()));';
const slices = 'const parts = this.parts.remaining(await sliceWorks(this.#ports)(unit), asks);';
const records = 'const merged = await merge(ports, customer, { ...recording, records, makings });';
const notes = 'await notes?.replace(fields, listed);';
const indexed = 'await indexEnrollment(ports)(enrollment, await ports.fields.listFields(key));';
const planned = `await askBackfill(ports.enqueuer, { ...key, ...days, why: 'new' });`;
const begun = 'await ports.beginMonitoring(stored.enrollment);';

// The kernel does work of every kind: what is so when it is at the one that is meant.
const isProduct = `item.kind === 'product'`;
const isUnit = `item.kind === 'unit'`;
const isClaimed = (kind) => `written?.item.kind === '${kind}'`;
const isEnd = `outcome.kind === 'done' && attempt.item.kind === 'unit'`;

/** The points of the way of a scene, and of enrollments that begin: `{ name, file, from, to }`. */
export const scenePoints = [
  before('scene-before-row', TAKE_IN, row),
  after('scene-after-row', TAKE_IN, row),
  beforeIf('product-before-message', ENQUEUE, sent, isProduct),
  afterOne('scene-after-message', TAKE_IN, message),
  { name: 'cursor-before-move', file: FEED, from: cursor, to: `${moving('cursor-before-move')}\n${cursor}` },
  { name: 'cursor-after-move', file: FEED, from: cursor, to: `${cursor}\n${moving('cursor-after-move')}` },
  afterIf('product-after-claim', HANDLE, claim, isClaimed('product')),
  before('units-before-asks', FAN_OUT, units),
  beforeIf('unit-before-row', ENQUEUE, asked, isUnit),
  beforeIf('unit-before-message', ENQUEUE, sent, isUnit),
  afterIf('unit-after-message', ENQUEUE, sent, isUnit),
  after('units-after-asks', FAN_OUT, units),
  after('units-after-fan-out', FAN_OUT, fannedOut),
  afterIf('unit-after-claim', HANDLE, claim, isClaimed('unit')),
  after('unit-after-slices-read', RUN, slices),
  before('slice-before-records', RECORDS, records),
  after('slice-after-records', RECORDS, records),
  before('slice-before-notes', RENDER, notes),
  after('slice-after-notes', RENDER, notes),
  beforeIf('unit-before-end', HANDLE, end, isEnd),
  afterIf('unit-after-end', HANDLE, end, isEnd),
  before('plan-before-ask', INGEST, begun),
  after('plan-after-ask', INGEST, begun),
  before('index-before-write', PLAN, indexed),
  after('index-after-write', PLAN, indexed),
  before('index-before-end', PLAN, planned),
  after('index-after-end', PLAN, planned),
];
