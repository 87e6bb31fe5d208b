/**
 * A Smart Boundary job on two scenes, with the model that ships, against the prediction alone on the same scenes as they
 * lie in memory: how long each lasts, and the memory of its process. What a job waits is counted by the clock of the job,
 * what it computes as time of the processor, which other work on the machine does not falsify.
 *
 *   npm run bench:own-boundary            (3 rounds after one that warms up; `-- 7` for seven)
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findField, type FieldSearch } from '../../shared/boundary/job/findField.js';
import { readModelFrom } from '../../tools/boundary-model/modelAssets.js';
import { ownBoundaryWorld } from '../boundary/job/ownBoundaryWorld.js';
import { IOWA, writeDays } from '../boundary/job/scenePlaces.js';
import { farmland } from '../boundary/job/tileScenes.js';
import { cpuMsOf, median } from './service.js';
import { say, sized } from './figures.js';

const [longitude, latitude] = IOWA;
const parameters = {
  ...{ imageStartDate: '2026-06-01', imageEndDate: '2026-06-12' },
  pointOnSurface: { longitude, latitude },
};
const model = readModelFrom('shared/boundary/assets');

/** What one round took, milliseconds. */
interface Taken {
  readonly untilScenes: number;
  readonly untilEnd: number;
}
/** What the rounds of one kind took, and the most memory of their process. */
interface Measured {
  readonly rounds: readonly Taken[];
  readonly megabytes: number;
}
type Kind = 'prediction' | 'job';

/** One job, and what its search for a field was given. */
async function oneJob(scenes: string): Promise<{ readonly search: FieldSearch; readonly taken: Taken }> {
  let given: { readonly search: FieldSearch; readonly untilScenes: number } | undefined;
  const world = await ownBoundaryWorld({
    scenes,
    findField: async (search) => {
      given = { search, untilScenes: passed() };
      return { ...(await findField(search, model)), mayGrow: false };
    },
  });
  const [begun, clockThen] = [process.cpuUsage(), world.clock.now().getTime()];
  const passed = (): number => cpuMsOf(process.cpuUsage(begun)) + world.clock.now().getTime() - clockThen;
  await world.create(parameters);
  // The job's end is its publication: what comes behind it is the kernel's.
  await world.drain();
  if (given === undefined || world.published.length !== 1) throw new Error('The job has failed.');
  const untilEnd = passed();
  await world.close();
  const { search, untilScenes } = given;
  return { search, taken: { untilScenes, untilEnd } };
}

async function measure(kind: Kind, scenes: string, rounds: number): Promise<Measured> {
  const taken: Taken[] = [];
  const { search } = await oneJob(scenes);
  while (taken.length < rounds) taken.push(kind === 'job' ? (await oneJob(scenes)).taken : await alone(search));
  return { rounds: taken, megabytes: process.resourceUsage().maxRSS / 1024 };
}

async function alone(search: FieldSearch): Promise<Taken> {
  const begun = process.cpuUsage();
  await findField(search, model);
  return { untilScenes: 0, untilEnd: cpuMsOf(process.cpuUsage(begun)) };
}

/** In a process of its own, so that its memory is its own. */
function measuredBeside(kind: Kind, scenes: string, rounds: number): Measured {
  const given = [process.argv[1] ?? '', 'measure', kind, scenes, String(rounds)];
  const { stdout, status } = spawnSync(process.execPath, given, { stdio: ['ignore', 'pipe', 'inherit'] });
  if (status !== 0) throw new Error(`The rounds of ${kind} have failed.`);
  return JSON.parse(stdout.toString('utf8')) as Measured;
}

async function main(rounds: number): Promise<void> {
  const scenes = mkdtempSync(join(tmpdir(), 'own-boundary-'));
  const days = ['2026-06-03', '2026-06-08'].map((date) => ({ date, epsg: 32615 }));
  await writeDays(scenes, IOWA, days, farmland);
  const [prediction, job] = [measuredBeside('prediction', scenes, rounds), measuredBeside('job', scenes, rounds)];
  rmSync(scenes, { recursive: true });
  const seconds = ({ rounds: taken }: Measured, of: keyof Taken): number => median(taken.map((one) => one[of])) / 1000;
  const [whole, least] = [seconds(job, 'untilEnd'), seconds(prediction, 'untilEnd')];
  say(`until its scenes are there: ${seconds(job, 'untilScenes').toFixed(2)} s, median of ${rounds} rounds`);
  say(
    `end to end: ${whole.toFixed(2)} s, the prediction alone ${least.toFixed(2)} s: ratio ${(whole / least).toFixed(2)} (goal ≤ 1.2), median of ${rounds} rounds`,
  );
  say(`memory: ${job.megabytes.toFixed(0)} MB with the stand-in of the catalogue`);
}

const [mode = String(sized(3)), kind = 'job', scenes = '', rounds = '3'] = process.argv.slice(2);
if (mode === 'measure') {
  const measured = await measure(kind === 'prediction' ? 'prediction' : 'job', scenes, Number(rounds));
  process.stdout.write(JSON.stringify(measured));
} else await main(Number(mode));
