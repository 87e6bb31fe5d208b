import { check } from '../checker.mjs';
import { fetchAll, plannedJobs, runJobs } from '../jobLoad.mjs';

/** Strikes the insertion of each job once: applied, its answer lost. */
function losingInserts() {
  const struck = new Set();
  return {
    kind: 'dropAfter',
    service: 'table',
    matches: ({ method, body }) => {
      if (method !== 'POST') return false;
      const text = body.toString('utf8');
      const id = /JOB\|[^|"']*\|[^|"']*\|(job-\d+)/.exec(text)?.[1];
      if (id === undefined || !text.includes('\\"status\\":\\"WAITING\\"') || struck.has(id)) return false;
      struck.add(id);
      return true;
    },
  };
}

export const experiment = {
  id: 'E5',
  restsOn: ['jobs', 'storage'],
  title: 'creates whose insertion is applied and whose answer is lost once',
  passLine: 'every create 202, no 409, every insertion struck',
  run: async (context) => {
    const count = context.size(250, 500);
    const world = await context.start({ proxied: true });
    world.proxy.add(losingInserts());
    const jobs = plannedJobs(world, { count, fetchShare: 0 });
    await runJobs(world, jobs, 10);
    const creates = world.client.history.filter(({ op }) => op === 'create');
    const lost = world.proxy.counts.dropAfter;
    const { counts, breaches } = await check(world, { quietMs: context.quietMs(120_000) });
    await fetchAll(world, jobs);
    const refused = creates.filter(({ status }) => status === 409).length;
    const accepted = creates.filter(({ status }) => status === 202).length;
    if (refused > 0) breaches.push(`I2: ${refused} first creates were answered 409`);
    if (accepted !== count) breaches.push(`I2: ${accepted} of ${count} creates were answered 202`);
    if (lost < count) breaches.push(`only ${lost} of ${count} insertions lost their answer`);
    return { counts: { creates: count, accepted, refused, lostAnswers: lost, ...counts }, breaches };
  },
};
