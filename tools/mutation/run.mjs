// Tries whether the tests notice a mistake: `npm run mutation -- gdd jobs` changes the rules of these folders in small
// ways, one after the other, and names the changes that no test notices. Without names all folders.
import { Stryker } from '@stryker-mutator/core';
import { mkdirSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/** By folder of `shared/`: the folders of `tests/` that specify it. */
const TESTS = {
  gdd: ['gdd'],
  jobs: ['jobs'],
  raster: ['raster'],
  boundary: ['boundary'],
  imagery: ['imagery'],
  scenes: ['scenes'],
  geo: ['geo'],
};
/** What is named for I/O, and what runs the steps of a job: their tests are those of ports and of whole jobs. */
const NOT_PURE = /(Store|Client|Source|Queue|Reader|Writer)\.ts$|^run[A-Z]/;
/** Tests against other programs. */
const NEEDS_OTHERS = /\.(gdal|fuzz)\.test\.ts$/;
/** Tests that take seconds a run and find no mistake in a rule that quicker ones do not find. */
const SLOW_FILES = [
  ...['backlog', 'fairness', 'heartbeat', 'goldenFiles', 'syntheticTruth', 'pipelineParity'],
  ...['chainWithoutKey', 'measuredDays', 'mountainValley'],
];
const SLOW_TITLES = [
  ...['from real files', 'the other scene counts', 'as files in UTM', 'in the order of asking; the longest wait'],
  ...['each against the others', 'that the reference years do not hold', 'a May watched day by day'],
];
const TOO_SLOW = [...SLOW_FILES.map((name) => `/${name}.test.ts`), ...SLOW_TITLES];
const LEAST_PERCENT = 85;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { file: { type: 'string', multiple: true }, force: { type: 'boolean', default: false } },
});

const filesOf = (folder) => readdirSync(folder, { recursive: true }).map(String).sort();

function pureFilesOf(folder) {
  const names = filesOf(`shared/${folder}`).filter(
    (name) => name.endsWith('.ts') && !NOT_PURE.test(name.split('/').at(-1)),
  );
  const chosen =
    values.file === undefined ? names : names.filter((name) => values.file.includes(name.replace(/\.ts$/, '')));
  return chosen.map((name) => `shared/${folder}/${name}`);
}

const testsOf = (folder) =>
  TESTS[folder].flatMap((name) =>
    filesOf(`tests/${name}`)
      .filter((file) => file.endsWith('.test.ts') && !NEEDS_OTHERS.test(file))
      .map((file) => `tests/${name}/${file}`),
  );

/** @returns the share of mutants that a test noticed, in percent, and what was counted */
async function mutate(folder) {
  mkdirSync('build/mutation', { recursive: true });
  process.env.MUTATION_TESTS = JSON.stringify({ files: testsOf(folder), without: TOO_SLOW });
  const results = await new Stryker({
    mutate: pureFilesOf(folder),
    testRunner: 'warm',
    plugins: [fileURLToPath(new URL('runner.mjs', import.meta.url))],
    coverageAnalysis: 'perTest',
    // Tables of constants are data: their tests are those of what is computed with them.
    ignoreStatic: true,
    // The wording of messages is read by people; which message comes is decided elsewhere.
    mutator: { excludedMutations: ['StringLiteral'] },
    disableTypeChecks: false,
    concurrency: 1,
    incremental: true,
    force: values.force,
    incrementalFile: `build/mutation/${folder}.incremental.json`,
    tempDirName: 'build/mutation/tmp',
    ignorePatterns: ['build', 'dist', 'coverage', 'clients', 'examples', '.local'],
    reporters: ['json', 'unnoticed', 'clear-text', 'progress-append-only'],
    clearTextReporter: { allowColor: false, reportMutants: false, reportTests: false, reportScoreTable: true },
    jsonReporter: { fileName: `build/mutation/${folder}.json` },
    allowConsoleColors: false,
    allowEmpty: true,
    timeoutMS: 60_000,
    dryRunTimeoutMinutes: 60,
    thresholds: { high: 95, low: LEAST_PERCENT, break: null },
  }).runMutationTest();
  const count = (...statuses) => results.filter(({ status }) => statuses.includes(status)).length;
  const noticed = count('Killed', 'Timeout');
  const all = noticed + count('Survived', 'NoCoverage');
  return { folder, mutants: all, noticed, score: all === 0 ? 100 : (100 * noticed) / all };
}

const folders = positionals.length === 0 ? Object.keys(TESTS) : positionals;
const unknown = folders.filter((name) => TESTS[name] === undefined);
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(', ')}; there are ${Object.keys(TESTS).join(', ')}.`);
  process.exit(2);
}
const scores = [];
for (const folder of folders) scores.push(await mutate(folder));
console.log('| folder | changes | noticed | score |\n| --- | ---: | ---: | ---: |');
for (const { folder, mutants, noticed, score } of scores)
  console.log(`| ${folder} | ${mutants} | ${noticed} | ${score.toFixed(1)} % |`);
process.exit(scores.every(({ score }) => score >= LEAST_PERCENT) ? 0 : 1);
