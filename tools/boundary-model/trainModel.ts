// Makes the model from seeds: npm run boundary:train -- --out folder [--jobs 2] [--python python3] [--share 0.01] [--keep-network] [--ship]
//
// Hours of one core; goes on where it was stopped. The model lies in <folder>/model then, the output of every step in its
// folder's log.txt. --ship puts the model into shared/boundary/assets, and what the parity tests compare with into tests/fixtures.
import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, openSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildPrograms } from '../../infra/build/app.mjs';
import { modelFileNames } from '../../shared/boundary/predict/boundaryModel.js';
import { recipeOf } from './recipe.js';
import type { Step } from './recipe.js';
import { runSteps } from './runSteps.js';

const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    version: { type: 'string', default: '2.0.0' },
    jobs: { type: 'string', default: '1' },
    python: { type: 'string', default: 'python3' },
    share: { type: 'string', default: '1' },
    'keep-network': { type: 'boolean', default: false },
    ship: { type: 'boolean', default: false },
  },
});
if (values.out === undefined) throw new Error('Give --out, the folder to work in.');
const out = resolve(values.out);
const sources = 'tools/boundary-model';
const programs = 'build/boundary-train';

const commandOf = ({ program, arguments: rest }: Step): readonly string[] =>
  program.endsWith('.py')
    ? [values.python, `${sources}/${program}`, ...rest]
    : [process.execPath, '--enable-source-maps', `${programs}/${program.replace(/ts$/, 'mjs')}`, ...rest];

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

async function runStep(step: Step, folder: string): Promise<void> {
  const [command = '', ...rest] = commandOf(step);
  print(`${step.name}: begun`);
  const log = openSync(`${folder}/log.txt`, 'a');
  const environment = { ...process.env, OMP_NUM_THREADS: '1' };
  const program = spawn(command, rest, { stdio: ['ignore', log, log], env: environment });
  const code = await new Promise<number | null>((ended, failed) => program.on('close', ended).on('error', failed));
  if (code !== 0) throw new Error(`${step.name} failed; ${folder}/log.txt says why.`);
  print(`${step.name}: done`);
}

function ship(): void {
  const [assets, fixtures] = ['shared/boundary/assets', 'tests/fixtures/boundary'];
  for (const name of Object.values(modelFileNames)) copyFileSync(`${out}/model/${name}`, `${assets}/${name}`);
  if (!keepsNetwork) copyFileSync(`${out}/mean-folded/network-logits.bin`, `${fixtures}/network-logits.bin`);
  copyFileSync(`${out}/mask-folded/mask-logits.bin`, `${fixtures}/mask-logits.bin`);
  copyFileSync(`${out}/ranker/ranker-cases.json`, `${fixtures}/ranker-cases.json`);
  copyFileSync(`${out}/small-ranker/ranker-cases.json`, `${fixtures}/small-ranker-cases.json`);
  print(`The model lies in ${assets}, what the parity tests compare with in ${fixtures}.`);
}

mkdirSync(out, { recursive: true });
const keepsNetwork = values['keep-network'];
const steps = recipeOf({ out, version: values.version, share: Number(values.share), keepsNetwork });
const written = new Set(steps.map(({ program }) => program).filter((program) => program.endsWith('.ts')));
await buildPrograms(
  programs,
  [...written].map((program) => `${sources}/${program}`),
);
await runSteps(steps, { out, jobs: Number(values.jobs), run: runStep });
if (values.ship) ship();
