import { enrol, filesOf, newCustomer } from '../backfill.mjs';
import { check } from '../checker.mjs';
import { inspect, untilLooked } from '../imageryInspection.mjs';
import { lastDays, Publishing, untilIndexed } from '../publishing.mjs';
import { pause, untilNothingOpen } from '../quiet.mjs';
import { scenePoints } from '../scenePoints.mjs';

const REACH_MS = 60_000;
const LIMIT_MS = 3 * 60_000;
const FIELDS = 2;
/** One case may break a promise for every file; the first few tell enough. */
const SHOWN = 5;
const isOfBeginning = ({ name }) => /^(?:plan|index)-/.test(name);

async function untilReached({ points }, name) {
  const deadline = Date.now() + REACH_MS;
  while (points.reached(name) === 0 && Date.now() < deadline) await pause(50);
  return points.reached(name) > 0;
}

/** A customer with the fields of the place, and read access. */
async function enter(world, catalogue, { name, period }) {
  const fields = catalogue.fields(0, FIELDS);
  const customer = newCustomer(world, name);
  await enrol(world, { ...fields, days: period }, customer);
  return { name, fieldIds: fields.fieldIds, files: await filesOf(world, customer) };
}

/** Lets a host die at each point, a scene or an enrollment on its way. @returns how many died, and who is enrolled */
async function dieAt(world, catalogue, { points, period, customers }, breaches) {
  const days = [...period];
  let deaths = 0;
  for (const point of points) {
    world.points.arm(point.name);
    if (isOfBeginning(point)) customers.push(await enter(world, catalogue, { name: point.name, period }));
    else catalogue.show(days.shift());
    if (await untilReached(world, point.name)) deaths += 1;
    else breaches.push(`${point.name} was not reached`);
  }
  return deaths;
}

/** What each of them finds: every day that was shown, and the same bytes as whoever nobody disturbed. */
async function compare(catalogue, { calm, customers, limitMs }, breaches) {
  const expectedOf = ({ fieldIds }) => ({ fieldIds, days: catalogue.days });
  const whole = [];
  for (const customer of [calm, ...customers]) {
    const open = await untilLooked(customer.files, expectedOf(customer), limitMs);
    breaches.push(
      ...open.slice(0, SHOWN).map((fieldId) => `I6: ${fieldId} of ${customer.name} is not looked at whole`),
    );
    if (open.length === 0)
      whole.push({ customer, made: await inspect(customer.files, expectedOf(customer), breaches) });
  }
  const [undisturbed, ...others] = whole;
  for (const { customer, made } of others)
    for (const [name, checksum] of undisturbed.made)
      if (made.get(name) !== checksum)
        breaches.push(`I7: ${name} of ${customer.name} has other bytes than undisturbed`);
  return whole.reduce((sum, { made }) => sum + made.size, 0);
}

/** Units of which a slice was given up: nothing here is deadly by itself. */
const givenUp = (world) =>
  [...world.logText().matchAll(/"Unit:SliceGivenUp".*?"unit":"([^"]+)"/g)].map(([, unit]) => unit);

/** One service whose hosts die at each of these points. */
async function deathsAt(context, points) {
  const catalogue = new Publishing(FIELDS);
  const world = await context.start({ points: scenePoints, environment: catalogue.environment });
  const breaches = [];
  const period = lastDays(points.length);
  const customers = [];
  for (const name of ['first', 'second']) customers.push(await enter(world, catalogue, { name, period }));
  await untilIndexed(world, customers.length);
  await untilNothingOpen(world, REACH_MS);
  const deaths = await dieAt(world, catalogue, { points, period, customers }, breaches);
  const limitMs = context.quietMs(LIMIT_MS);
  for (const { files, fieldIds, name } of customers)
    if ((await untilLooked(files, { fieldIds, days: catalogue.days }, limitMs)).length > 0)
      breaches.push(`I6: ${name} waits for scenes`);
  const calm = await enter(world, catalogue, { name: 'calm', period });
  const files = await compare(catalogue, { calm, customers, limitMs }, breaches);
  const { breaches: found } = await check(world, { quietMs: context.quietMs(120_000) });
  breaches.push(...givenUp(world).map((unit) => `I6: a slice of ${unit} is given up for deaths elsewhere`));
  catalogue.remove();
  await context.stop(world);
  return {
    counts: { deaths, scenes: catalogue.days.length, customers: customers.length, files },
    breaches: [...breaches, ...found],
  };
}

export const experiment = {
  id: 'E29',
  restsOn: ['imagery', 'work'],
  title: 'hosts that die between a scene and the files of all customers',
  passLine:
    'every point reached; each customer has every scene, the files whole and as undisturbed, nothing is left open',
  run: async (context) => {
    const points = scenePoints.filter(({ name }) => name.includes(context.only));
    const times = context.size(1, 20);
    const total = { points: points.length, times, deaths: 0, scenes: 0, customers: 0, files: 0 };
    const breaches = [];
    for (let time = 0; time < times; time += 1) {
      const one = await deathsAt(context, points);
      for (const [name, count] of Object.entries(one.counts)) total[name] += count;
      breaches.push(...one.breaches);
    }
    return { counts: total, breaches };
  },
};
