import { freePort } from '../../../infra/local/freePort.mjs';
import { check } from '../checker.mjs';
import { killHosts, plannedJobs, runJobs } from '../jobLoad.mjs';
import { environmentOf, startReceiver } from '../noticeReceiver.mjs';
import { compare, listen, logOf, subjectOf } from '../noticesTold.mjs';
import { until } from '../quiet.mjs';

/** A relay that died is sent again by the sweep, a delivery by its retry. */
const TOLD_MS = 180_000;

export const experiment = {
  id: 'E50',
  restsOn: ['notices', 'work', 'jobs'],
  title: 'a host that is killed twenty times amid sixty jobs, whose ends a receiver is told',
  passLine: 'every job ends; each end is in the log exactly once and delivered under one id, the bytes the same',
  run: async (context) => {
    const port = await freePort();
    const world = await context.start({ environment: environmentOf(port) });
    const receiver = await startReceiver({ port, beforeAnswer: () => Promise.resolve() });
    try {
      await listen(world, receiver);
      world.slowJobs(300);
      const jobs = plannedJobs(world, { count: context.size(60, 300), cancelShare: 0.2 });
      const [kills] = await Promise.all([killHosts(world, context.full ? 60 : 20), runJobs(world, jobs)]);
      const { counts, breaches } = await check(world, { quietMs: context.quietMs(TOLD_MS) });
      const ids = jobs.map(({ id }) => id);
      let log = [];
      const isTold = async () => {
        log = await logOf(world);
        const subjects = new Set(log.map(({ subject }) => subject));
        return ids.every((id) => subjects.has(subjectOf(id))) && log.every(({ id }) => receiver.bodies.has(id));
      };
      await until(context.quietMs(TOLD_MS), isTold);
      const repeated = [...receiver.bodies.values()].filter((came) => came.length > 1).length;
      return {
        counts: { kills, events: log.length, repeated, ...counts },
        breaches: [...breaches, ...compare(ids, log, receiver.bodies)],
      };
    } finally {
      await receiver.stop();
    }
  },
};
