import { check } from '../checker.mjs';
import { hostGauge, slopePerMinute } from '../gauge.mjs';
import { gddParameters } from '../jobLoad.mjs';
import { pacedCalls, percentileOf } from '../pacedCalls.mjs';
import { pause } from '../quiet.mjs';
import { mixedFaults } from './e01-kills.mjs';

/** Half of what one caller is promised of creates; a look at a job for each of them. */
const PER_SECOND = 10;
/** A machine needs so long, of an hour, until its caches and code are warm. */
const WARM_SHARE = 0.25;
/** 1 MB a minute over the three quarters of an hour that are looked at. */
const MOST_GROWTH_MB = 45;
const MOST_DRIFT = 1.2;
/** Times below this are the emulator's and the scheduler's. */
const FLOOR_MS = 150;
const MOST_MORE_HANDLES = 20;

/** Kills the first host every minute; the second lives through it all, and its memory is what is looked at. */
async function killEveryMinute(world, minutes) {
  for (let minute = 1; minute <= minutes; minute += 1) {
    await pause(60_000);
    world.hosts[0].kill();
  }
}

function load(world, seconds) {
  const { client, service, hosts } = world;
  const call = (number) => {
    const id = `soak-${number - (number % 2)}`;
    // The surviving host answers: a connection to a killed one says nothing about growth.
    const options = { host: hosts[1].baseUrl };
    return number % 2 === 0
      ? client.create('gdd', id, gddParameters(service, number), options)
      : client.fetch('gdd', id, options);
  };
  return pacedCalls(call, { perSecond: PER_SECOND, seconds });
}

/** 99th percentile of the answers of a third of the time that is looked at. */
function p99Of(calls, from, until) {
  const times = calls.filter(({ dueAt, status }) => dueAt >= from && dueAt < until && status < 500).map(({ ms }) => ms);
  return Math.max(FLOOR_MS, percentileOf(times, 99));
}

function drift(calls, from, until) {
  const third = (until - from) / 3;
  return p99Of(calls, until - third, until) / p99Of(calls, from, from + third);
}

function handlesOf(samples) {
  const third = Math.floor(samples.length / 3);
  const middle = (part) =>
    percentileOf(
      part.map(({ handles }) => handles),
      50,
    );
  return middle(samples.slice(-third)) - middle(samples.slice(0, third));
}

export const experiment = {
  id: 'E22',
  restsOn: ['work', 'storage', 'jobs'],
  title: 'an hour at half the promised rate, a kill a minute, 1 % of the storage requests fail',
  passLine:
    'after the first quarter: memory after a full collection grows by less than 1 MB a minute, p99 drifts by less than 20 %, handles stay',
  apart: true,
  run: async (context) => {
    const minutes = context.minutes ?? 60;
    const gauge = hostGauge();
    const world = await context.start({ proxied: true, hosts: 2, environment: gauge.environment });
    world.proxy.add(mixedFaults(0.01));
    const startedAt = Date.now();
    const [calls] = await Promise.all([load(world, minutes * 60), killEveryMinute(world, minutes - 1)]);
    const warm = startedAt + minutes * 60_000 * WARM_SHARE;
    const [longest] = gauge.samples();
    const looked = longest.filter(({ at }) => at >= warm && at <= startedAt + minutes * 60_000);
    const samples = looked.filter(({ rssMb }) => rssMb !== undefined);
    const slope = slopePerMinute(
      looked.filter(({ liveMb }) => liveMb !== undefined),
      'liveMb',
    );
    const grownMb = slope * minutes * (1 - WARM_SHARE);
    const drifted = drift(calls, warm, startedAt + minutes * 60_000);
    const handles = handlesOf(samples);
    const { counts, breaches } = await check(world, { quietMs: context.quietMs(180_000) });
    if (grownMb >= MOST_GROWTH_MB) breaches.push(`memory grows by ${slope.toFixed(2)} MB a minute`);
    if (drifted >= MOST_DRIFT) breaches.push(`p99 is ${drifted.toFixed(2)} times that of the beginning`);
    if (handles > MOST_MORE_HANDLES) breaches.push(`${handles} handles more than at the beginning`);
    const rssMb = Math.round(
      percentileOf(
        samples.map((sample) => sample.rssMb),
        100,
      ),
    );
    const figures = {
      minutes,
      kills: Math.floor(minutes - 1),
      mbPerMinute: slope.toFixed(2),
      rssMb,
      drift: drifted.toFixed(2),
    };
    return { counts: { ...figures, moreHandles: handles, samples: samples.length, ...counts }, breaches };
  },
};
