import { check } from '../checker.mjs';
import { newCustomer } from '../backfill.mjs';
import { submission } from '../submissions.mjs';

const SIZES = [200, 50, 1];
const CALLERS = 4;

async function submitMany(world, customer, { count, prefix }) {
  const ids = [];
  let number = 0;
  const caller = async () => {
    while (number < count) {
      const options = { fieldIds: [`${prefix}-${number++}`] };
      const reply = await world.client.insist(() => submission(world.client, customer, options));
      if (reply.status !== 202) throw new Error(`submit: ${reply.status} ${JSON.stringify(reply.json)}`);
      ids.push(reply.json.enrollment_id);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  return ids;
}

const list = ({ client }, { apiKey }, query) =>
  client.call('list', `/v1/enrollments?${new URLSearchParams(query)}`, { headers: { 'api-key': apiKey } });

/** All pages; `others` runs meanwhile. @returns the records shown, in order, and how many pages there were */
async function walk(world, customer, query, others) {
  const shown = [];
  let pages = 0;
  let isWalking = true;
  const meanwhile = others(() => isWalking);
  for (let cursor; cursor !== null; pages += 1) {
    const reply = await world.client.insist(() =>
      list(world, customer, cursor === undefined ? query : { ...query, cursor }),
    );
    if (reply.status !== 200) throw new Error(`list: ${reply.status} ${JSON.stringify(reply.json)}`);
    shown.push(...reply.json.items);
    ({ cursor } = reply.json);
  }
  isWalking = false;
  await meanwhile;
  return { shown, pages };
}

/** I12: each that was there at the first page exactly once, newest first. */
function checkWalk(present, shown, what, breaches) {
  const ids = shown.map(({ enrollment_id: id }) => id);
  const missing = present.filter((id) => !ids.includes(id));
  if (missing.length > 0) breaches.push(`I12: ${what} lacks ${missing.length}, such as ${missing[0]}`);
  if (new Set(ids).size !== ids.length) breaches.push(`I12: ${what} shows ${ids.length - new Set(ids).size} twice`);
  const times = shown.map(({ created_date_time: time }) => time);
  if (times.some((time, index) => index > 0 && time > times[index - 1])) breaches.push(`I12: ${what} is out of order`);
}

/** Cursors of another filter, another caller, another hand. */
async function checkCursors(world, customer, breaches) {
  const { json } = await list(world, customer, { limit: '5' });
  const { cursor } = json;
  const stranger = newCustomer(world, 'stranger');
  const last = cursor.endsWith('A') ? 'B' : 'A';
  const attempts = [
    ['another filter', customer, { cursor, status: 'received' }],
    ['another caller', stranger, { cursor }],
    ['a changed end', customer, { cursor: cursor.slice(0, -1) + last }],
    ['a changed beginning', customer, { cursor: `A${cursor.slice(1)}`.replace(cursor, `B${cursor.slice(1)}`) }],
    ['a cut', customer, { cursor: cursor.slice(0, 20) }],
    ['nothing', customer, { cursor: '' }],
  ];
  for (const [what, caller, query] of attempts) {
    const { status } = await list(world, caller, { limit: '5', ...query });
    if (status !== 422) breaches.push(`a cursor of ${what} was answered ${status}, not 422`);
  }
}

export const experiment = {
  id: 'E18',
  restsOn: ['enrollments', 'storage'],
  title: 'lists that are paged while enrollments come and change their status',
  passLine: '0 missing, 0 repeated, newest first; a cursor of another filter, caller or hand is 422',
  run: async (context) => {
    const count = context.size(200, 1_000);
    const world = await context.start({ hosts: 2 });
    const customer = newCustomer(world, 'paged');
    const breaches = [];
    const present = await submitMany(world, customer, { count, prefix: 'first' });
    const counts = { enrollments: count };
    for (const size of SIZES) {
      const before = [...present];
      // New ones are received and ingested while the pages are read: rows come in front and statuses move.
      const { shown, pages } = await walk(world, customer, { limit: String(size) }, async (isWalking) => {
        for (let round = 0; isWalking(); round += 1)
          present.push(...(await submitMany(world, customer, { count: CALLERS, prefix: `by-${size}-${round}` })));
      });
      checkWalk(before, shown, `a list by ${size}`, breaches);
      counts[`pages of ${size}`] = pages;
    }
    const { counts: found, breaches: more } = await check(world, { quietMs: context.quietMs(180_000) });
    const byStatus = await walk(world, customer, { limit: '200', status: 'completed' }, () => Promise.resolve());
    checkWalk(present, byStatus.shown, 'the list of those completed', breaches);
    await checkCursors(world, customer, breaches);
    return { counts: { ...counts, ...found }, breaches: [...breaches, ...more] };
  },
};
