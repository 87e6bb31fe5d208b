// Places between a scene that the catalogue shows and the files of all customers where a host can be made to die, and
// between an enrollment and its searches.
import { after, before } from './crashPoints.mjs';

const FEED = 'shared/imagery/discovery/readFeed.ts';
const TAKE_IN = 'shared/imagery/discovery/takeIn.ts';
const PLAN = 'shared/imagery/discovery/planImagery.ts';
const INGEST = 'shared/enrollments/ingestEnrollment.ts';
const FAN_OUT = 'shared/imagery/units/fanOut.ts';
const RUN = 'shared/imagery/units/runUnit.ts';
const RENDER = 'shared/imagery/units/renderScenes.ts';
const RECORDS = 'shared/imagery/records/recordFieldDates.ts';

const row = `if (news !== 'none' && !(await scenes.put(row, stored?.etag))) return undefined;`;
const message = 'await sceneQueue.enqueue(key);';
const cursor = 'etag = await feed.putCursor(catalogueName, cursor, etag);';
/** A poll that has found something. */
const moving = (name) => `if (count.opened > 0) crashAt('${name}');`;
const units = 'const changes = cut.length === 0 ? [] : await open(ports, { tile, date }, asked);';
const messages = 'await send(ports, changes);';
const fannedOut = `await ports.scenes.put({ ...product, fanOut: 'done', units }, etag);`;
const claimed = 'const works = await this.#worksOf(asked);';
const records = 'const merged = await merge(ports, customer, { ...recording, records, makings });';
const notes = 'await notes?.replace(fields, listed);';
const end = 'const end = await this.#ports.units.finish(unit, { customers, fields }, this.#writes.etag);';
const indexed = 'await indexEnrollment(ports)(enrollment, await ports.fields.listFields(key));';
const planned = 'await ports.schedule.remove(due);';
const marked = 'if (schedule !== undefined) await ports.marks.raise(mark);';

/** The points of the way of a scene, and of enrollments that begin: `{ name, file, from, to }`. */
export const scenePoints = [
  before('scene-before-row', TAKE_IN, row),
  after('scene-after-row', TAKE_IN, row),
  after('scene-after-message', TAKE_IN, message),
  { name: 'cursor-before-move', file: FEED, from: cursor, to: `${moving('cursor-before-move')}\n${cursor}` },
  { name: 'cursor-after-move', file: FEED, from: cursor, to: `${cursor}\n${moving('cursor-after-move')}` },
  before('units-before-write', FAN_OUT, units),
  after('units-after-write', FAN_OUT, units),
  after('units-after-messages', FAN_OUT, messages),
  after('units-after-fan-out', FAN_OUT, fannedOut),
  after('unit-after-claim', RUN, claimed),
  before('slice-before-records', RECORDS, records),
  after('slice-after-records', RECORDS, records),
  before('slice-before-notes', RENDER, notes),
  after('slice-after-notes', RENDER, notes),
  before('unit-before-end', RUN, end),
  after('unit-after-end', RUN, end),
  before('mark-before-raise', INGEST, marked),
  after('mark-after-raise', INGEST, marked),
  before('index-before-write', PLAN, indexed),
  after('index-after-write', PLAN, indexed),
  before('index-before-end', PLAN, planned),
  after('index-after-end', PLAN, planned),
];
