// Enrollments that begin and are stopped while scenes of their place come, step by step in any order: the product's own
// plan, search, fan-out, units and stop. Experiments build it, with a protection taken out when they must fail.
import { planOf } from '../../shared/imagery/discovery/backfill.js';
import { aScene } from '../imagery/builders.js';
import { FeedUnderTest } from '../imagery/discovery/feedUnderTest.js';
import { purgeRound } from './purgeDays.js';

const CUSTOMER = 'contoso';
const BOX = [13.14, 48.29, 13.142, 48.2915] as const;
const MINUTE_MS = 60_000;
const DAYS = ['2026-06-10', '2026-06-13', '2026-06-14'] as const;

export interface EnrolDaysOptions {
  readonly random: () => number;
  readonly rounds: number;
}

const sceneOn = (date: string) =>
  aScene({ id: `S2B_33UUP_${date}`, takenAt: `${date}T10:05:59.000Z`, datatake: `GS2B_${date}` });

/** Draws an order in which each list keeps its own. */
function merged<T>(random: () => number, lists: readonly (readonly T[])[]): readonly T[] {
  const rest = lists.map((list) => [...list]);
  const order: T[] = [];
  for (let open = rest.filter(({ length }) => length > 0); open.length > 0;) {
    const [next] = open[Math.floor(random() * open.length)]?.splice(0, 1) ?? [];
    if (next !== undefined) order.push(next);
    open = rest.filter(({ length }) => length > 0);
  }
  return order;
}

type Step = () => Promise<unknown>;

/** One enrollment whose steps and those of three scenes come in a drawn order. @returns what is wrong with the outcome */
async function round(random: () => number, number: number): Promise<readonly string[]> {
  const service = new FeedUnderTest('2026-06-15T12:00:00Z');
  const key = { customer: CUSTOMER, enrollmentId: `e${number}` };
  const isStopped = random() < 0.5;
  // Somebody else has monitored the place all along: the feed knows its tile.
  await service.enrol({ customer: 'fabrikam', enrollmentId: 'old', fields: [{ fieldId: 'other', box: BOX }] });
  await service.drainAll();
  const pass: Step = () => service.clock.advance(MINUTE_MS);
  const begin: readonly Step[] = [
    () =>
      service.enrol({
        ...key,
        fields: [{ fieldId: 'north', box: BOX }],
        request: { startDate: '2026-06-01', endDate: '2026-06-30', layers: ['ndvi'] },
      }),
    () => service.run(planOf(key)),
    () => service.drain(),
  ];
  let atStop = -1;
  const made = (): number => service.all(CUSTOMER).files.length;
  const stop: Step = async () => {
    await service.stop(key);
    atStop = made();
  };
  const come = DAYS.map((day): readonly Step[] => [
    () => {
      service.catalogue.add(sceneOn(day), service.clock.now().getTime());
      return Promise.resolve();
    },
    pass,
    () => service.poll(),
    () => service.drainAll(),
  ]);
  for (const step of merged(random, [isStopped ? [...begin, stop] : begin, ...come])) await step();
  await service.clock.advance(2 * MINUTE_MS);
  await service.poll();
  await service.drainAll();
  const days = new Set(service.all(CUSTOMER).files.map(([path]) => path.split('/')[4]));
  if (isStopped) return made() === atStop ? [] : [`I6: ${made() - atStop} images after the stop in round ${number}`];
  return DAYS.filter((day) => !days.has(day)).map((day) => `I6: no image of ${day} in round ${number}`);
}

/** Lives through so many beginnings, and so many ends of customers. */
export async function enrolDays({ random, rounds }: EnrolDaysOptions) {
  const breaches: string[] = [];
  for (let number = 0; number < rounds; number += 1) {
    breaches.push(...(await round(random, number)), ...(await purgeRound(random, number)));
  }
  return { counts: { rounds, scenes: rounds * DAYS.length, purges: rounds }, breaches };
}
