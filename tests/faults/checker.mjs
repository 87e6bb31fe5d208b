// The one checker of all experiments: waits for quiet, reads everything that is stored, logged and was answered, and
// says what breaks a promise of docs/reliability.md.
import { checkAnswers } from './checks/answers.mjs';
import { checkEnrollments } from './checks/enrollments.mjs';
import { checkImagery } from './checks/imagery.mjs';
import { checkJobs } from './checks/jobs.mjs';
import { checkLanes } from './checks/lanes.mjs';
import { checkSecrets } from './checks/secrets.mjs';
import { untilQuiet } from './quiet.mjs';

/** Breaches of one kind are told by their first few. */
const SHOWN = 5;

function shortened(breaches) {
  const byKind = new Map();
  for (const breach of breaches) {
    const kind = breach.split(':')[0];
    byKind.set(kind, [...(byKind.get(kind) ?? []), breach]);
  }
  return [...byKind.values()].flatMap((list) =>
    list.length <= SHOWN ? list : [...list.slice(0, SHOWN), `… and ${list.length - SHOWN} more of this kind`],
  );
}

/**
 * @param options `quietMs`: how long quiet may take (120 s); `clockSkewMs`: by how much the clocks of the hosts differ
 *   from ours; `isBusy: false` also holds answers to 12 s
 * @returns `{ counts, breaches }`; no breach: every promise held
 */
export async function check(world, { quietMs = 120_000, ...options } = {}) {
  const breaches = [];
  world.proxy?.clear();
  const { open, seconds } = await untilQuiet(world, quietMs);
  for (const what of open.slice(0, SHOWN)) breaches.push(`I1: not quiet after ${Math.round(seconds)} s: ${what}`);
  const jobs = await checkJobs(world, breaches, options);
  await checkLanes(world, breaches);
  const enrollments = await checkEnrollments(world, breaches);
  const imagery = await checkImagery(world, breaches);
  await checkSecrets(world, breaches);
  const answers = checkAnswers(world, breaches, options);
  const faults = world.proxy === undefined ? {} : { faults: world.proxy.faults };
  const counts = {
    quietSeconds: Math.round(seconds),
    ...jobs,
    ...(enrollments.enrollments > 0 ? enrollments : {}),
    ...imagery,
    ...faults,
  };
  return { counts: { ...counts, answers: JSON.stringify(answers) }, breaches: shortened(breaches) };
}
