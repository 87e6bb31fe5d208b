// Places between the end of a job and the 2xx of a receiver where a host can be made to die: before and after each write.
import { after, afterIf, before, beforeIf, claim, end, HANDLE } from './crashPoints.mjs';

const END = 'shared/jobs/steps/attemptStep.ts';
const CANCEL = 'shared/jobs/operations/cancelJob.ts';
const RELAY = 'shared/notices/log/noticeKind.ts';
const WAKE = 'shared/notices/sending/wakeWebhooks.ts';
const PUMP = 'shared/notices/sending/pump.ts';

const ended = `outcome.kind === 'done' && attempt.item.kind === 'gdd'`;
const cancelled =
  'if (!(await jobs.replace(stored, cancelled, open, { item, beside: telling.actions }))) return undefined;';
const relayed = `outcome.kind === 'done' && attempt.item.kind === 'notice'`;
const visited = `outcome.kind === 'done' && attempt.item.kind === 'webhook'`;
const message = 'return telling.send();';
const cancelMessage = 'await telling.send();';
const append = 'await ports.log.append(owner, entries);';
const wake = 'await ports.wake(owner, types);';
const asked = 'await work.ask(workOfWebhook(webhook), dueAt > now ? { dueAt } : {});';
const sent = 'const sent = await sendAll(ports, { webhook, secrets, attempt, endsAt, inFlight }, batch.planned);';
const results = 'const written = await ports.deliveries.write(webhook, held, withStale(result, batch.stale));';
const hasSent = 'batch.planned.length > 0';

/** The points of notices: `{ name, file, from, to }`. Those whose name begins with `cancel` lie on the way of a cancel. */
export const noticePoints = [
  beforeIf('end-before-write', HANDLE, end, ended),
  before('end-before-message', END, message),
  before('cancel-before-end', CANCEL, cancelled),
  after('cancel-after-end', CANCEL, cancelled),
  after('cancel-after-message', CANCEL, cancelMessage),
  beforeIf('relay-before-claim', HANDLE, claim, `item.kind === 'notice'`),
  afterIf('relay-after-claim', HANDLE, claim, `written !== undefined && item.kind === 'notice'`),
  before('relay-before-append', RELAY, append),
  after('relay-after-append', RELAY, append),
  after('relay-after-ask', WAKE, asked),
  after('relay-after-wake', RELAY, wake),
  beforeIf('relay-before-end', HANDLE, end, relayed),
  afterIf('relay-after-end', HANDLE, end, relayed),
  beforeIf('visit-before-claim', HANDLE, claim, `item.kind === 'webhook'`),
  afterIf('visit-after-claim', HANDLE, claim, `written !== undefined && item.kind === 'webhook'`),
  beforeIf('visit-before-post', PUMP, sent, hasSent),
  afterIf('visit-after-post', PUMP, sent, hasSent),
  beforeIf('visit-before-results', PUMP, results, hasSent),
  afterIf('visit-after-results', PUMP, results, hasSent),
  beforeIf('visit-before-end', HANDLE, end, visited),
  afterIf('visit-after-end', HANDLE, end, visited),
];
