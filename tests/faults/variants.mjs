// Variants of the app: a protection taken out, waits shortened, a clock that can be moved. An experiment against an app
// without the protection must find a breach, or the experiment proves nothing.

const WORK_STORE = 'shared/work/item/workStore.ts';
const ATTEMPT = 'shared/jobs/steps/attemptStep.ts';

/** By protection: what is changed so that the app has it no more. */
export const protections = {
  // A worker or a cancel overwrites whatever is there: the first end is no longer final, and what is done comes back.
  fence: [
    {
      file: 'shared/jobs/jobRows.ts',
      from: '{ update: jobKey(next), value: jobRow(next), etag };',
      to: `{ update: jobKey(next), value: jobRow(next), etag: '*' };`,
    },
    {
      file: WORK_STORE,
      from: 'return { update: rowKeyOf(next), value: rowOf(next), etag };',
      to: 'return { put: rowKeyOf(next), value: rowOf(next), etag };',
    },
    {
      file: WORK_STORE,
      from: 'await this.#rows.update(partition, rowKey, rowOf(next), stored.etag);',
      to: 'await this.#rows.put(partition, rowKey, rowOf(next));',
    },
    {
      file: ATTEMPT,
      from: 'if (!(await this.#ports.publishInsight.publish(this.#job, insight, publisher))) throw new AttemptLost();',
      to: 'await this.#ports.publishInsight.publish(this.#job, insight, publisher);',
    },
  ],
  // A refused write is taken for somebody else's, even when it was our own and only its answer got lost.
  readBack: [
    {
      file: 'shared/storage/azure/azureRows.ts',
      from: 'return found === revision ? etag : undefined;',
      to: 'return void [found, etag];',
    },
  ],
  // A create replaces whatever job has its id.
  uniqueInsert: [
    {
      file: 'shared/jobs/jobStore.ts',
      from: 'const row: Action = { insert: jobKey(job), value: jobRow(job) };',
      to: 'const row: Action = { put: jobKey(job), value: jobRow(job) };',
    },
    {
      file: 'shared/jobs/jobStore.ts',
      from: '[row, ...entriesOf(job), workActions.insert(item)]',
      to: '[row, ...entriesOf(job), workActions.put(item)]',
    },
  ],
  // Whoever holds a message takes the work, whether another is at it or not.
  lease: [
    {
      file: 'shared/work/item/workItem.ts',
      from: 'now: number): boolean => notBefore <= now;',
      to: 'now: number): boolean => notBefore <= now || now > 0;',
    },
  ],
  // The status says SUCCEEDED before the insight is there.
  effectFirst: [
    {
      file: ATTEMPT,
      from: `    if (!(await this.#ports.publishInsight.publish(this.#job, insight, publisher))) throw new AttemptLost();
    return this.#succeeded(attempt);`,
      to: `      const end = await this.#succeeded(attempt);
      const publish = () => this.#ports.publishInsight.publish(this.#job, insight, publisher).catch(() => false);
      return { ...end, after: () => { end.after?.(); void publish(); } };`,
    },
  ],
  // The times of a job are whatever the clock says.
  clamp: [{ file: 'shared/jobs/job.ts', from: 'Math.max(previous, now);', to: 'previous < 0 ? previous : now;' }],
  // A message of a newer version is a message of an unknown form.
  putBack: [
    {
      file: 'shared/http/triggers/queueFunction.ts',
      from: 'if (isOfNewerVersion(message)) {',
      to: 'if (message === isOfNewerVersion) {',
    },
  ],
  // A drain holds nothing back.
  drain: [
    {
      file: 'shared/http/triggers/workFunction.ts',
      from: 'if (!isBeat(message) && (await isDrained()))',
      to: 'if (isBeat(message) && (await isDrained()))',
    },
  ],
  // Nobody looks for work whose message got lost or whose attempt died.
  sweeper: [
    {
      file: 'shared/work/upkeep/sweepWork.ts',
      from: 'const { item } = stored;',
      to: `const { item } = stored;\n  if (item.checkAt > 0) return 'late';`,
    },
  ],
  // Every sweep asks every customer.
  asksEverybody: [
    {
      file: 'functions/upkeep/workSweep.ts',
      from: 'handle: async ({ openDuties, sweepWork }) => {',
      to: `handle: async ({ openDuties, sweepWork, customers, enrollments }) => {
    for (const { customer } of await customers.list()) await enrollments.list(customer, { limit: 1 });`,
    },
  ],
  // Half an answer of the catalogue passes for all of it.
  wholePages: [
    {
      file: 'shared/scenes/stac/pageReader.ts',
      from: 'if (isCut || isShort) throw',
      to: 'if (isCut && !isCut) throw',
    },
  ],
  // What the feed shows is written down, and nobody makes anything of it.
  sceneMessages: [
    {
      file: 'shared/imagery/discovery/takeIn.ts',
      from: "if (product.fanOut === 'open') await askProduct(key);",
      to: "if (product.fanOut !== 'open') await askProduct(key);",
    },
    // Nor the night, which finds what stayed open.
    {
      file: 'shared/imagery/discovery/reconcile.ts',
      from: 'for (const product of open) await askProduct(product);',
      to: 'for (const product of open.slice(0, 0)) await askProduct(product);',
    },
  ],
  // An enrollment is searched for and never enters the index.
  indexFirst: [
    {
      file: 'shared/imagery/discovery/planEnrollment.ts',
      from: 'await indexEnrollment(ports)(enrollment, await ports.fields.listFields(key));',
      to: 'if (enrollment.enrollmentId === indexEnrollment.name) return undefined;',
    },
  ],
  // A stop leaves the index as it is.
  unindexed: [
    {
      file: 'shared/enrollments/submission/stopEnrollment.ts',
      from: 'await enqueuer.ask(leaveOf(key, now), {',
      to: 'if (key.enrollmentId === leaveOf.name) await enqueuer.ask(leaveOf(key, now), {',
    },
  ],
  // What the catalogue lacks of a tile is asked of none beside it.
  neighbours: [
    {
      file: 'shared/imagery/discovery/reconcile.ts',
      from: 'if (lacked.length === 0) return [];',
      to: 'if (lacked.length >= 0) return [];',
    },
  ],
  // A purge waits for leases, and for no attempt at work of several customers.
  purgeWaits: [
    {
      file: 'shared/access/customers/purgeCustomer.ts',
      from: 'if (this.#left.length === 0) return true;',
      to: 'return true;',
    },
  ],
  // The message of a scene is sent when the scene is news, and never again.
  fanOutMark: [
    {
      file: 'shared/imagery/discovery/takeIn.ts',
      from: "product.fanOut === 'open'",
      to: "product.fanOut === 'open' && news !== 'none'",
    },
  ],
  // A unit is done before its slices are.
  recordsFirst: [
    {
      file: 'shared/imagery/units/runUnit.ts',
      from: 'const startedAt = this.#now();\n    const { asks } = attempt.item;',
      to: 'const startedAt = this.#now();\n    const { asks } = attempt.item;\n    await attempt.finish();',
    },
  ],
  // Nobody counts the attempts that die in a slice: it is neither done last nor given up by itself.
  sliceDeaths: [
    {
      file: 'shared/imagery/units/parts.ts',
      from: 'return { ...progress, deaths: { ...progress.deaths, [at]: (progress.deaths?.[at] ?? 0) + 1 } };',
      to: 'return progress;',
    },
  ],
  // Work that was asked for again while it ran ends behind facts that were read before.
  asks: [
    {
      file: 'shared/work/item/workItem.ts',
      from: "return item.asks === asks ? 'held' : 'asked';",
      to: "return item.asks >= asks ? 'held' : 'asked';",
    },
  ],
  // What was published long ago stands in one line with what is new.
  lanes: [
    {
      file: 'shared/imagery/units/unit.ts',
      from: "now - publishedAt > LIVE_MS ? 'late' : 'live'",
      to: "now - publishedAt > LIVE_MS ? 'live' : 'live'",
    },
  ],
  // A poll begins where the last one ended: what got its time before it was visible is not seen.
  feedOverlap: [
    {
      file: 'shared/imagery/discovery/feedWindow.ts',
      from: 'OVERLAP_MS = 10 * 60_000',
      to: 'OVERLAP_MS = 0',
    },
    {
      file: 'shared/imagery/discovery/readFeed.ts',
      from: 'const moved = latest > cursor.readTo ? { readTo: latest } : {};',
      to: 'const moved = { readTo: read.to };',
    },
  ],
  // Nobody holds the last days against the catalogue.
  reconciliation: [
    {
      file: 'shared/imagery/discovery/reconcile.ts',
      from: 'const own = missingItems(ofTile, products);',
      to: 'const own = missingItems(ofTile, products).slice(0, 0);',
    },
  ],
  // The cursor moves behind a window that did not come.
  wholeWindows: [
    {
      file: 'shared/imagery/discovery/readFeed.ts',
      from: 'const items = await changesIn(ports, part, poll);',
      to: `const items = await changesIn(ports, part, poll).catch(() => {
      cursor = { ...cursor, readTo: part!.to };
      return [];
    });`,
    },
    { file: 'shared/imagery/discovery/feedSilence.ts', from: 'QUIET_MS = 3 *', to: 'QUIET_MS = 3_000 *' },
  ],
  // The datastrips of a datatake are one product.
  datastrips: [
    {
      file: 'shared/imagery/products/product.ts',
      from: 'STRIP_START.test(datastripStart) ? datastripStart : minuteOf(scene);',
      to: `STRIP_START.test(datastripStart) ? '00000000T000000' : minuteOf(scene);`,
    },
  ],
  // What the second collection shows is another version.
  sameProduct: [
    {
      file: 'shared/imagery/products/product.ts',
      from: 'const version = productVersionOf(scene);',
      to: `const version = productVersionOf(scene) + (scene.collection === 'sentinel-2-c1-l2a' ? ' 1' : '');`,
    },
  ],
  // Whatever was acquired at any time is news.
  takenSince: [
    { file: 'shared/imagery/discovery/readFeed.ts', from: 'OLDEST_DAYS = 30', to: 'OLDEST_DAYS = 20 * 365' },
  ],
  // Nobody deletes the inputs of submissions that died.
  orphanSweep: [
    {
      file: 'shared/enrollments/ingest/ingestEnrollment.ts',
      from: 'await inputs.remove(enrollmentOfWork(item));',
      to: '',
    },
  ],
  // A message that nobody can read is thrown away.
  poison: [
    {
      file: 'shared/http/triggers/queueFunction.ts',
      from: 'throw new Error(`A message of ${definition.queue} has an unknown form.`);',
      to: '',
    },
  ],
  // A damaged file passes for one that is away: it is tried again and again.
  finalDamage: [
    {
      file: 'shared/raster/tiff/rasterError.ts',
      from: 'this.isTransient = isTransient;',
      to: 'this.isTransient = true;',
    },
  ],
  // A cursor is good for any caller and any filter.
  boundCursor: [
    {
      file: 'shared/kit/listCursor.ts',
      from: '.update(JSON.stringify(scope))',
      to: '.update(JSON.stringify(scope.length))',
    },
  ],
  // Nobody looks whether the caller has an imagery licence.
  licence: [
    {
      file: 'shared/boundary/form/requireLicence.ts',
      from: 'await licences.require(tenant);',
      to: 'await Promise.resolve();',
    },
  ],
  // Each request leaves some memory and a timer behind.
  release: [
    {
      file: 'shared/http/handleRequest.ts',
      from: 'const requestId = randomUUID();',
      to: 'const requestId = randomUUID();\n  const left = new Array(20_000).fill(Math.random());\n  setInterval(() => left.length, 60_000);',
    },
  ],
  // A request waits for storage as long as storage takes.
  storageTimeout: [
    {
      file: 'shared/wiring/clients/storageClients.ts',
      from: 'request.timeout = tryMs;',
      to: 'request.timeout = 600_000;',
    },
  ],
  // The export leaves out a table that nothing can make again.
  wholeExport: [{ file: 'shared/operate/backup/tableKinds.ts', from: `fields: 'kept',`, to: `fields: 'rebuilt',` }],
  // An export is written over an earlier one of its name.
  writtenOnce: [
    {
      file: 'shared/operate/backup/blobBackupArchive.ts',
      from: "ONLY_NEW = { ifNoneMatch: '*' }",
      to: 'ONLY_NEW = {}',
    },
  ],
  // An export has the rows of fields and no geometries.
  exportedFiles: [
    { file: 'shared/operate/backup/exportedFiles.ts', from: 'name.includes(`/${folder}/`)', to: 'name === folder' },
  ],
  // A restore brings back what was erased.
  tombstones: [
    {
      file: 'shared/operate/restore/restoreTables.ts',
      from: '!isErased(name, row, erased)',
      to: '(!isErased(name, row, erased) || true)',
    },
  ],
  // A restore reads no tombstones beside the exports.
  keptTombstones: [
    {
      file: 'shared/operate/restore/restoreTables.ts',
      from: 'const kept = await ports.keptTombstones.read();',
      to: 'const kept = { ...(await ports.keptTombstones.read()), erased: [], purged: new Map<string, number>() };',
    },
  ],
  // A restore leaves deletions that were answered as it finds them.
  deletionsGoOn: [
    {
      file: 'shared/operate/restore/restoreTables.ts',
      from: 'const deletions = await mendDeletions(ports);',
      to: 'const deletions = [mendDeletions].length - 1;',
    },
  ],
  // Work of a tenant that operators hold is done.
  holdBack: [
    {
      file: 'shared/work/handleWork.ts',
      from: 'if (step.waitsWhileHeld === true && (await ports.isHeld(ownerOf(stored.item)))) return holdBack(ports, stored);',
      to: 'if (step.waitsWhileHeld === true && ownerOf(stored.item) === holdBack.name) return holdBack(ports, stored);',
    },
    {
      file: 'shared/farm/imports/importKind.ts',
      from: 'if (now(ports) > end || (await ports.isHeld(importOfWork(attempt.item).tenant)))',
      to: 'if (now(ports) > end)',
    },
  ],
  // What was away before a hold counts on while the work is held.
  heldUncounted: [
    {
      file: 'shared/work/handleWork.ts',
      from: 'const releasedAt = await ports.releasedAt?.(ownerOf(item));',
      to: 'const releasedAt = ports.releasedAt === undefined ? 0 : undefined;',
    },
    { file: 'shared/work/item/workItem.ts', from: '  failures: {},\n  parked: ticket,', to: '  parked: ticket,' },
  ],
  // An erasure stands in one line with the imports of its tenant.
  eraseApart: [
    {
      file: 'shared/farm/erase/startErasure.ts',
      from: `import { newItem } from '../../work/item/workItem.js';`,
      to: `import { importsLaneOf } from '../../work/lanes/lane.js';\nimport { inLane, newItem } from '../../work/item/workItem.js';`,
    },
    {
      file: 'shared/farm/erase/startErasure.ts',
      from: 'const item = { ...newItem(key, now), checkAt: now };',
      to: `const parked = { lane: importsLaneOf(scope.tenant), askedAt: now };
    const item = inLane({ ...newItem(key, now), checkAt: now }, parked);`,
    },
  ],
  // A cascade does not wait for writers that have seen what it deletes.
  writerPause: [
    {
      file: 'shared/farm/cascade/sweepUp.ts',
      from: 'export const WRITER_MS = 15_000;',
      to: 'export const WRITER_MS = 10;',
    },
  ],
  // An import keeps its place before it writes what lies behind it.
  rowsFirst: [
    {
      file: 'shared/farm/imports/importKind.ts',
      from: 'await attempt.hold();',
      to: `await attempt.hold();
    await attempt.save(placeOfImport(progressBehind(progress, prepared.map(({ index }) => ({ index })))));`,
    },
  ],
  // A new resource is written in two steps.
  oneWrite: [
    {
      file: 'shared/farm/land/landStore.ts',
      from: 'const etag = await this.#table(key.kind).insert(...landPlaceOf(key), landRowOf(land, shape));',
      to: `const { description: _left, ...part } = land;
    const etag = await this.#table(key.kind).insert(...landPlaceOf(key), landRowOf(part, shape));
    if (etag !== undefined) await this.#table(key.kind).put(...landPlaceOf(key), landRowOf(land, shape));`,
    },
  ],
  // What is to be told of an end is written behind the transaction of the end.
  outboxRow: [
    {
      file: 'shared/notices/log/outbox.ts',
      from: 'return { actions: [workActions.put(item)], send: () => work.send(order) };',
      to: 'return { actions: [], send: () => work.ask(order) };',
    },
  ],
  // Large geometries are read in the event loop, too.
  shapesBeside: [
    {
      file: 'shared/wiring/areas/farmServices.ts',
      from: 'const MOST_BYTES_HERE = 64 * 1024;',
      to: 'const MOST_BYTES_HERE = 64 * 1024 * 1024;',
    },
  ],
  // Visits that wait for receivers take all places of the host, whoever their owners are.
  seats: [
    { file: 'shared/work/lanes/seats.ts', from: 'this.#taken.size >= FREE', to: 'this.#taken.size >= 50 * FREE' },
  ],
  // A job that made do leaves no work item: nobody looks at it any more.
  rerunLook: [
    {
      file: ATTEMPT,
      from: 'return { ...next, ...(await this.#end(',
      to: `return { ...next, kind: 'done', ...(await this.#end(`,
    },
  ],
  // The earlier insight is taken away before the better one is written.
  inPlace: [
    {
      file: 'shared/jobs/steps/rerunStep.ts',
      from: 'if (!(await publishInsight.publish(job, outcome.insight, attempt)))',
      to: 'await publishInsight.withdraw(job, insightId, () => Promise.resolve(true));\n  if (!(await publishInsight.publish(job, outcome.insight, attempt)))',
    },
  ],
  // Nobody finds the slots of those who have ended.
  laneSweep: [{ file: 'shared/work/upkeep/sweepLanes.ts', from: 'else gone.add(nameOf(holder));', to: '' }],
  // Each attempt makes an insight of its own.
  fixedId: [
    {
      file: 'shared/jobs/steps/insightId.ts',
      from: 'return deterministicId(job.tenant,',
      to: 'return deterministicId(crypto.randomUUID(), job.tenant,',
    },
  ],
};

/**
 * Shorter waits, so that an experiment takes minutes, and lines of one kind in full, for what happens in an hour happens
 * in one minute then: nothing else differs. A message is taken for lost after 10 s
 * (2 min in the product), a failed attempt waits 1 s · 4^(attempt − 1) up to 15 s (15 s up to 15 min), and the sweepers
 * run every 5 s (every minute).
 */
export const shortWaits = [
  { file: 'shared/work/item/workItem.ts', from: 'LOST_MESSAGE_MS = 2 * 60_000', to: 'LOST_MESSAGE_MS = 10_000' },
  { file: 'shared/kit/retryDelay.ts', from: 'initialMs: 15_000', to: 'initialMs: 1_000' },
  { file: 'shared/jobs/steps/withdrawStep.ts', from: 'initialMs: 2 * 60_000', to: 'initialMs: 10_000' },
  { file: 'shared/jobs/steps/withdrawStep.ts', from: 'maximumMs: 6 * HOUR_MS', to: 'maximumMs: 15_000' },
  { file: 'shared/kit/retryDelay.ts', from: 'QUARTER_MS = 15 * 60_000', to: 'QUARTER_MS = 15_000' },
  { file: 'shared/kit/telemetry/lineSampling.ts', from: 'FULL_PER_MINUTE = 10;', to: 'FULL_PER_MINUTE = 10_000;' },
  {
    file: 'functions/main.ts',
    from: 'register(FUNCTION_MANIFEST,',
    to: `const manifest = JSON.parse(JSON.stringify(FUNCTION_MANIFEST).replaceAll(/"\\d+ \\* \\* \\* \\* \\*"/g, '"*/5 * * * * *"')) as Manifest;\nregister(manifest,`,
  },
];

/** A function of the app that reads a number from the file that a variable names, at every call; 0 when it isn't there. */
const readsNumber = (name, variable) => `import { readFileSync } from 'node:fs';
function ${name}(): number {
  try {
    return Number(readFileSync(process.env['${variable}'] ?? '', 'utf8')) || 0;
  } catch {
    return 0;
  }
}
`;

/**
 * A clock that is ahead by as many milliseconds as the file named by CLOCK_FILE says (0 when it isn't there); read at
 * every use, so that it can be moved while the host runs.
 */
export const movableClock = [
  {
    file: 'shared/kit/clock.ts',
    from: 'now: () => new Date(),',
    to: `now: () => new Date(Date.now() + aheadMs()),`,
  },
  {
    file: 'shared/kit/clock.ts',
    from: `/** The machine's own clock.`,
    to: `${readsNumber('aheadMs', 'CLOCK_FILE')}/** The machine's own clock.`,
  },
];

/**
 * GDD jobs that wait before they read their field for as many milliseconds as the file named by JOB_PAUSE_FILE says (0 when it
 * isn't there), as behind slow storage: kills and cancels then meet jobs at work.
 */
export const slowableJobs = [
  {
    file: 'shared/gdd/runGddJob.ts',
    from: 'const point = await placeOfField(',
    to: 'await new Promise((resolve) => setTimeout(resolve, jobPauseMs()));\n    const point = await placeOfField(',
  },
  {
    file: 'shared/gdd/runGddJob.ts',
    from: '/** What a GDD job needs from outside. */',
    to: `${readsNumber('jobPauseMs', 'JOB_PAUSE_FILE')}/** What a GDD job needs from outside. */`,
  },
];

/** What the next version would change (E20): it sends messages of version 2 and takes both. */
export const nextVersion = [
  {
    file: 'shared/kit/validation/messageFacts.ts',
    from: 'v: Type.Literal(1),',
    to: 'v: Type.Union([Type.Literal(1), Type.Literal(2)]),',
  },
  { file: 'shared/kit/validation/messageFacts.ts', from: 'message.v > 1', to: 'message.v > 2' },
  { file: 'shared/storage/messageQueue.ts', from: 'v: 1,', to: 'v: 2,' },
];
/** A message that is put back comes again after 60 s; E20 takes minutes. */
export const shortPutBack = [
  { file: 'shared/wiring/services.ts', from: 'PUT_BACK_SECONDS = 60', to: 'PUT_BACK_SECONDS = 3' },
];

/** A job runs again after 45 s instead of 6 h (E26). */
export const soonRerun = [{ file: 'shared/jobs/rerun.ts', from: 'RERUN_MS = 6 * 3_600_000', to: 'RERUN_MS = 45_000' }];

/** The field of E31. */
export const DEADLY = 'deadly';
const place = 'const place = { customer: this.#customer, fieldId: open.field.fieldId, date: this.#unit.date };';
/** Whoever makes the images of one field dies of it, each time (E31). */
export const deadlyField = {
  name: DEADLY,
  file: 'shared/imagery/units/renderScenes.ts',
  from: place,
  to: `${place}\nif (place.fieldId === '${DEADLY}') crashAt('${DEADLY}');`,
};

/** The changes that take protections out; throws for a protection nobody knows. */
export const changesWithout = (names) =>
  names.flatMap((name) => {
    const changes = protections[name];
    if (changes === undefined) throw new Error(`Known protections: ${Object.keys(protections).join(', ')}.`);
    return changes;
  });
