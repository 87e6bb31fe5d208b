import { check } from '../checker.mjs';
import { hostGauge } from '../gauge.mjs';
import { gddParameters } from '../jobLoad.mjs';
import { pacedCalls, percentileOf } from '../pacedCalls.mjs';

/**
 * What one caller is promised, calls a second and the burst. The full run has the product's own rates, five times
 * which take a quiet machine of two cores; the standard run a fifth of them, which a busy one takes too.
 */
const PROMISES = {
  full: { create: { perSecond: 10, burst: 50 }, read: { perSecond: 50, burst: 200 } },
  standard: { create: { perSecond: 2, burst: 10 }, read: { perSecond: 10, burst: 40 } },
};
const ratesText = ({ create, read }) =>
  `create=${create.perSecond}/s:${create.burst},read=${read.perSecond}/s:${read.burst},submit=10/min:10,list=10/s:10,sas=1/s:10`;
const TIMES = 5;
const ALLOWED = [200, 202, 404, 429, 503];
const ACCEPTED_MS = 2_000;
const BACK_MS = 30_000;
/** A caller that gives up hides what it would have been answered. */
const PATIENT = { timeoutMs: 90_000 };
/** 70 % of the smallest instance that the service is made for, 2,048 MB. */
const CEILING_MB = 1_434;

function overload({ client, service }, promise, seconds) {
  const creates = pacedCalls(
    (number) => client.create('gdd', `over-${number}`, gddParameters(service, number), PATIENT),
    {
      perSecond: promise.create.perSecond * TIMES,
      seconds,
    },
  );
  const reads = pacedCalls((number) => client.fetch('gdd', `over-${Math.floor(number / TIMES)}`, PATIENT), {
    perSecond: promise.read.perSecond * TIMES,
    seconds,
  });
  return Promise.all([creates, reads]);
}

/** Asks until one create is accepted again. @returns milliseconds */
async function untilBack({ client, service }) {
  const start = Date.now();
  const { outcome } = await client.insist(() => client.create('gdd', 'after', gddParameters(service, 0)), BACK_MS * 2);
  return outcome === 'ok' ? Date.now() - start : Infinity;
}

function breachesOf(calls, { backMs, rssMb, isFull }) {
  const breaches = [];
  const others = calls.filter(({ status }) => !ALLOWED.includes(status));
  if (others.length > 0) breaches.push(`I11: ${others.length} answers were others, one was ${others[0].status}`);
  const accepted = calls.filter(({ status }) => status < 300).map(({ ms }) => ms);
  const p99 = Math.round(percentileOf(accepted, 99));
  if (isFull && p99 > ACCEPTED_MS) breaches.push(`I11: p99 of what was accepted is ${p99} ms`);
  if (backMs > BACK_MS) breaches.push(`I11: accepted again only after ${backMs} ms`);
  if (!(rssMb <= CEILING_MB)) breaches.push(`I11: ${rssMb} MB of memory`);
  return { breaches, p99 };
}

/** How many of the creates may have been accepted: the burst, and the rate for the time. */
function tooManyOf(creates, { perSecond, burst }) {
  const seconds = (Math.max(...creates.map(({ dueAt, ms }) => dueAt + ms)) - creates[0].dueAt) / 1_000;
  const most = Math.ceil(burst + perSecond * (seconds + 2));
  const accepted = creates.filter(({ status }) => status === 202).length;
  return accepted > most ? [`${accepted} creates were accepted of at most ${most}`] : [];
}

/**
 * A standard run may share its machine, whose own slowness is then in every time: it holds the answers, the rate, the
 * memory and the return, and tells the time; the full run holds the time too.
 *
 * With `--only unlimited` nobody is held to a rate: the run must FAIL.
 */
export const experiment = {
  id: 'E23',
  restsOn: ['access', 'http', 'jobs'],
  title: 'one caller asks five times as often as is promised',
  passLine:
    'only 2xx, 404 of jobs not accepted, 429 and 503; no more accepted than promised; accepted again within 30 s; with --full p99 of what is accepted ≤ 2 s',
  run: async (context) => {
    const seconds = (context.minutes ?? (context.full ? 2 : 0.5)) * 60;
    const promise = PROMISES[context.full ? 'full' : 'standard'];
    const gauge = hostGauge();
    const environment = {
      ...gauge.environment,
      RATE_LIMITS: context.only === 'unlimited' ? 'off' : 'on',
      RATE_LIMIT_RATES: ratesText(promise),
    };
    const world = await context.start({ environment });
    const [creates, reads] = await overload(world, promise, seconds);
    const backMs = await untilBack(world);
    const rssMb = Math.round(Math.max(...gauge.samples().flatMap((list) => list.map((sample) => sample.rssMb ?? 0))));
    const calls = [...creates, ...reads];
    const found = breachesOf(calls, { backMs, rssMb, isFull: context.full });
    const tooMany = tooManyOf(creates, promise.create);
    const { counts, breaches } = await check(world, { quietMs: context.quietMs(180_000) });
    const sent = { sent: calls.length, acceptedP99Ms: found.p99, backMs, rssMb };
    return { counts: { ...sent, ...counts }, breaches: [...found.breaches, ...tooMany, ...breaches] };
  },
};
