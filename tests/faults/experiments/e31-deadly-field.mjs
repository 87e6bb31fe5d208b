import { enrol, filesOf, newCustomer } from '../backfill.mjs';
import { check } from '../checker.mjs';
import { inspect, untilLooked } from '../imageryInspection.mjs';
import { lastDays, Publishing, untilIndexed } from '../publishing.mjs';
import { pause, untilNothingOpen } from '../quiet.mjs';
import { DEADLY, deadlyField } from '../variants.mjs';

const LIMIT_MS = 5 * 60_000;
const OTHERS = 3;

const datesOf = (index) => index?.['fieldimagery:dates'] ?? [];
const indexOf = (files, fieldId) => files.json(`sentinel-2/${fieldId}/index.json`).catch(() => undefined);

/** Keeps the field deadly until its day has an end, or the time is over. @returns the day as it is told */
async function untilEnded(world, files, limitMs) {
  const deadline = Date.now() + limitMs;
  while (Date.now() < deadline) {
    if (!world.points.isArmed(DEADLY)) world.points.arm(DEADLY);
    const [day] = datesOf(await indexOf(files, DEADLY));
    if (day !== undefined) return day;
    await pause(200);
  }
  return undefined;
}

export const experiment = {
  id: 'E31',
  restsOn: ['imagery', 'work'],
  title: "a field of one customer that ends the process of whoever makes it, another customer's fields in its cell",
  passLine: 'the other has its images, the field is failed with a reason, after at least three deaths',
  run: async (context) => {
    const catalogue = new Publishing(1 + OTHERS);
    const world = await context.start({ points: [deadlyField], environment: catalogue.environment });
    const breaches = [];
    const period = lastDays(3);
    const fields = [catalogue.fields(0, 1, [DEADLY]), catalogue.fields(1, 1 + OTHERS)];
    const customers = ['anna', 'bert'].map((name) => newCustomer(world, name));
    for (const [index, customer] of customers.entries())
      await enrol(world, { ...fields[index], days: period }, customer);
    const [files, othersFiles] = [await filesOf(world, customers[0]), await filesOf(world, customers[1])];
    await untilIndexed(world, customers.length);
    await untilNothingOpen(world, 60_000);
    world.points.arm(DEADLY);
    catalogue.show(period[0]);
    const end = await untilEnded(world, files, LIMIT_MS);
    const deaths = world.points.reached(DEADLY);
    if (end?.outcome !== 'failed' || !end.reason) breaches.push(`I9: the deadly field is ${JSON.stringify(end)}`);
    if (deaths < 3) breaches.push(`the field was the end of ${deaths} processes only`);
    const expected = { fieldIds: fields[1].fieldIds, days: catalogue.days };
    const limitMs = context.quietMs(LIMIT_MS);
    for (const fieldId of await untilLooked(othersFiles, expected, limitMs))
      breaches.push(`I9: ${fieldId} is not looked at`);
    const made = breaches.length === 0 ? await inspect(othersFiles, expected, breaches) : new Map();
    const left = breaches.filter((text) => text.includes(' is failed'));
    breaches.push(...left.map((text) => `I9: another's ${text}`));
    const { breaches: found } = await check(world, { quietMs: context.quietMs(120_000) });
    catalogue.remove();
    return { counts: { deaths, files: made.size }, breaches: [...breaches, ...found] };
  },
};
