import { check } from '../checker.mjs';
import { fetchAll, plannedJobs, runJobs } from '../jobLoad.mjs';
import { pause } from '../quiet.mjs';
import { pick } from '../random.mjs';
import { nextVersion, shortPutBack } from '../variants.mjs';

const linesWith = (text, part) => text.split('\n').filter((line) => line.includes(part)).length;

export const experiment = {
  id: 'E20',
  restsOn: ['work', 'http'],
  title: 'a version and the next one on one storage, hosts killed, the old one replaced half way',
  passLine: '0 lost; a message of the newer version is put back by the older, never poisoned',
  run: async (context) => {
    const count = context.size(150, 500);
    const world = await context.start({
      hosts: 2,
      changes: shortPutBack,
      secondChanges: nextVersion,
      ownApp: true,
      // What is not put back is poison after five deliveries, which must not take minutes.
      hostJson: { queueVisibility: '00:00:02' },
    });
    world.slowJobs(100);
    const jobs = plannedJobs(world, { count, cancelShare: 0.1 });
    const half = Math.floor(count / 2);
    const killing = async (times) => {
      for (let kill = 0; kill < times; kill += 1) {
        await pause(2_000 + 2_000 * world.random());
        pick(world.random, world.hosts).kill();
      }
    };
    await Promise.all([killing(3), runJobs(world, jobs.slice(0, half))]);
    const putBack = linesWith(world.logText(), 'Message:PutBack');
    await world.upgrade(nextVersion);
    await Promise.all([killing(3), runJobs(world, jobs.slice(half))]);
    const { counts, breaches } = await check(world, { quietMs: context.quietMs(120_000) });
    await fetchAll(world, jobs);
    const poisoned = linesWith(world.logText(), '-poison.');
    const refused = linesWith(world.logText(), 'Message:Unreadable');
    if (refused > 0) breaches.push(`${refused} times a message was refused as one of an unknown form`);
    if (putBack === 0) breaches.push('the older version never met a message of the newer one');
    if (poisoned > 0) breaches.push(`${poisoned} messages were poisoned`);
    return { counts: { putBack, refused, poisoned, ...counts }, breaches };
  },
};
