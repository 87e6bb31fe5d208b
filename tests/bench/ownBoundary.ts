/**
 * A Smart Boundary job on the service's own data manager against one on a data manager by wire, both on the same two scenes
 * and with the model that ships: how long each lasts, until its scenes are there and to its end, and the memory of its
 * process. What a job waits (ingest and looks at it, as the stand-in times them) is counted by the clock of the job, what
 * it computes as time of the processor, which other work on the machine does not falsify.
 *
 *   npm run bench:own-boundary            (3 rounds after one that warms up; `-- 7` for seven)
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Position } from '../../shared/geo/shapes/geoJson.js';
import { findField, type FieldFinding, type FieldSearch } from '../../shared/boundary/job/findField.js';
import { readModelFrom } from '../../tools/boundary-model/modelAssets.js';
import { boundaryWorld } from '../boundary/job/jobUnderTest.js';
import { ownBoundaryWorld } from '../boundary/job/ownBoundaryWorld.js';
import { farmland, tileAround, writeForBoth, type SceneFolders } from '../boundary/job/sameScenes.js';
import type { ManualClock } from '../support/manualClock.js';
import { cpuMsOf, median } from './service.js';
import { say, sized } from './figures.js';

const POINT: Position = [-92.972469, 41.518232];
const [longitude, latitude] = POINT;
const parameters = {
  ...{ imageStartDate: '2026-06-01', imageEndDate: '2026-06-12' },
  pointOnSurface: { longitude, latitude },
};

/** What one job took, milliseconds. */
interface Taken {
  readonly untilScenes: number;
  readonly untilEnd: number;
}
/** What the jobs of one kind took, each in milliseconds, and the most memory of their process. */
interface Measured {
  readonly jobs: readonly Taken[];
  readonly megabytes: number;
}
type Kind = 'wire' | 'own';

interface Job {
  readonly clock: ManualClock;
  readonly create: () => Promise<unknown>;
  readonly drain: () => Promise<unknown>;
  readonly published: readonly unknown[];
  readonly close: () => Promise<void>;
}

const worlds: Readonly<Record<Kind, (folders: SceneFolders, look: Look) => Promise<Job>>> = {
  wire: async ({ dataManager }, look) => {
    const world = await boundaryWorld({ scenesFolder: dataManager, findField: look });
    return { ...world, create: () => world.create('job', parameters) };
  },
  own: async ({ catalogue }, look) => {
    const world = await ownBoundaryWorld({ scenes: catalogue, findField: look });
    return { ...world, create: () => world.create(parameters) };
  },
};
type Look = (search: FieldSearch) => Promise<FieldFinding>;

async function oneJob(kind: Kind, folders: SceneFolders): Promise<Taken> {
  const model = readModelFrom('shared/boundary/assets');
  let untilScenes = 0;
  const world = await worlds[kind](folders, async (search) => {
    untilScenes = passed();
    return { ...(await findField(search, model)), mayGrow: false };
  });
  const [begun, clockThen] = [process.cpuUsage(), world.clock.now().getTime()];
  const passed = (): number => cpuMsOf(process.cpuUsage(begun)) + world.clock.now().getTime() - clockThen;
  await world.create();
  // The job's end is its publication: what comes behind it is the kernel's.
  await world.drain();
  if (world.published.length !== 1) throw new Error(`The job ${kind} has failed.`);
  const untilEnd = passed();
  await world.close();
  return { untilScenes, untilEnd };
}

async function measure(kind: Kind, folders: SceneFolders, rounds: number): Promise<Measured> {
  const jobs: Taken[] = [];
  for (let round = 0; round <= rounds; round += 1) jobs.push(await oneJob(kind, folders));
  return { jobs: jobs.slice(1), megabytes: process.resourceUsage().maxRSS / 1024 };
}

/** In a process of its own, so that its memory is its own. */
function measuredBeside(kind: Kind, { catalogue, dataManager }: SceneFolders, rounds: number): Measured {
  const program = process.argv[1] ?? '';
  const given = [program, 'measure', kind, catalogue, dataManager, String(rounds)];
  const { stdout, status } = spawnSync(process.execPath, given, { stdio: ['ignore', 'pipe', 'inherit'] });
  if (status !== 0) throw new Error(`The jobs ${kind} have failed.`);
  return JSON.parse(stdout.toString('utf8')) as Measured;
}

async function main(rounds: number): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'own-boundary-'));
  const folders = { catalogue: join(root, 'catalogue'), dataManager: join(root, 'data-manager') };
  for (const folder of [folders.catalogue, folders.dataManager]) mkdirSync(folder);
  for (const date of ['2026-06-03', '2026-06-08']) {
    const grid = tileAround(POINT, 32615);
    await writeForBoth(folders, { date, grid, valueOf: farmland(grid, date) });
  }
  const [wire, own] = [measuredBeside('wire', folders, rounds), measuredBeside('own', folders, rounds)];
  rmSync(root, { recursive: true });
  const seconds = ({ jobs }: Measured, of: keyof Taken): number => median(jobs.map((job) => job[of])) / 1000;
  for (const [of, what] of [
    ['untilScenes', 'until its scenes are there'],
    ['untilEnd', 'end to end'],
  ] as const) {
    const [slow, fast] = [seconds(wire, of), seconds(own, of)];
    const goal = of === 'untilEnd' ? ' (goal ≥ 2)' : '';
    say(
      `${what}: ${fast.toFixed(2)} s, by wire ${slow.toFixed(2)} s: ${(slow / fast).toFixed(1)} times as fast${goal}, median of ${rounds} rounds`,
    );
  }
  say(
    `memory: ${own.megabytes.toFixed(0)} MB, by wire ${wire.megabytes.toFixed(0)} MB: ratio ${(own.megabytes / wire.megabytes).toFixed(2)} (goal ≤ 1.2), each with its stand-in`,
  );
}

const [mode = String(sized(3)), kind = 'own', catalogue = '', dataManager = '', rounds = '3'] = process.argv.slice(2);
if (mode === 'measure') {
  const measured = await measure(kind === 'wire' ? 'wire' : 'own', { catalogue, dataManager }, Number(rounds));
  process.stdout.write(JSON.stringify(measured));
} else await main(Number(mode));
