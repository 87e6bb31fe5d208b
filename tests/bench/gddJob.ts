/**
 * What a GDD job of 200 days costs without its storage: a cold cache (reference years and season asked for), a warm
 * one (nothing asked for), and the arithmetic alone. Calls to the provider are counted.
 *
 *   npm run bench:gdd
 */
import { cropModels } from '../../shared/gdd/days/crops.js';
import { degreeDaysOf, limitsOf } from '../../shared/gdd/days/degreeDays.js';
import { jobWorld } from '../gdd/gddJobUnderTest.js';
import { openMeteoAnswers, plainWeather } from '../gdd/weather/fakeProviders.js';
import { cpuMsOf, median } from './service.js';
import { say, sized } from './figures.js';

const ROUNDS = sized(15);
const span = { gddStartDate: '2026-04-01', gddEndDate: '2026-10-17' };

const newWorld = () =>
  jobWorld({ answer: (url, { clock }) => openMeteoAnswers({ clock, archive: plainWeather })(url) });

async function cpuMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  return cpuMsOf(process.cpuUsage(before));
}

/** Milliseconds of CPU for one sum of 200 days. */
function sumMs(repetitions: number): number {
  const limits = limitsOf(cropModels.CORN);
  const days = Array.from({ length: 200 }, (_, day) => ({ minC: 5 + (day % 13), maxC: 15 + (day % 17) }));
  let total = 0;
  const before = process.cpuUsage();
  for (let repetition = 0; repetition < repetitions; repetition += 1) {
    for (const day of days) total += degreeDaysOf(day, limits);
  }
  if (total <= 0) throw new Error('The sum must not be optimised away.');
  return cpuMsOf(process.cpuUsage(before)) / repetitions;
}

const cold: number[] = [];
const warm: number[] = [];
let coldCalls = 0;
let warmCalls = 0;
for (let round = 0; round < ROUNDS; round += 1) {
  const world = newWorld();
  cold.push(await cpuMs(() => world.run(span)));
  coldCalls = world.calls.length;
  warm.push(await cpuMs(() => world.run({ ...span, crop: 'SOYBEAN' })));
  warmCalls = world.calls.length - coldCalls;
}
const arithmetic = sumMs(10_000);
say(
  `cold cache: ${median(cold).toFixed(1)} ms CPU, ${coldCalls} calls to the provider (the fake provider's own work included)`,
);
say(
  `warm cache: ${median(warm).toFixed(1)} ms CPU, ${warmCalls} calls; ratio to cold ${(median(warm) / median(cold)).toFixed(2)}`,
);
say(
  `arithmetic alone: ${(arithmetic * 1000).toFixed(1)} µs for 200 days; ratio to the warm job ${(arithmetic / median(warm)).toFixed(4)}`,
);
