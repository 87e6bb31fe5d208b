// Stryker's test runner: loads the tests of one folder once, and runs those that reach a mutant again for each mutant.
//
// A mutant is a branch in the code that a global switches on, so that the modules need no second loading; jest would load
// every test file anew for every mutant, which takes about a hundred times as long. What keeps values between tests in
// a module must therefore not stand in what is mutated.
import { declareClassPlugin, declareFactoryPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import {
  determineHitLimitReached,
  DryRunStatus,
  TestStatus,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner';
import fc from 'fast-check';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { register } from 'node:module';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { collect, readAgain, tests } from './testApi.mjs';

/** By which the code finds out which mutant is on; the name is Stryker's. */
const switches = (globalThis.__stryker__ ??= {});

/**
 * Processor time of the tests that a change has to go unnoticed by: the quickest that reach it come first. What only
 * longer ones notice counts as unnoticed.
 */
const PATIENCE_MS = 2_000;

/** A test that takes so many times as long as without a mutant hangs. */
const TIMES_AS_LONG = 20;
const AT_LEAST_MS = 5_000;

/** What each test takes and reaches, in the folder of the mutated copy. */
const MEASURED = 'mutation-measured.json';

/**
 * A loop that does not end any more is told by how often it is passed: so many times as often as without a mutant. Stryker's
 * own limit, 100 times as often as in all tests together, takes minutes to reach in loops over pixels.
 */
const TIMES_AS_OFTEN = 5;

const pathOf = (block) => (block === undefined ? [] : [...pathOf(block.parent), block]);

/** Ends what waits for ever; what keeps the process busy is counted by Stryker's limit of hits. */
async function within(milliseconds, work) {
  let timer;
  const late = new Promise((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('The test hangs.')), milliseconds);
  });
  try {
    await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** One round of tests: blocks are made ready when their first test comes, and left at the end. */
class Round {
  #ready = new Set();

  async #hooks(block, name) {
    for (const hook of block.hooks[name]) await hook();
  }

  async enter(block) {
    for (const each of pathOf(block)) {
      if (this.#ready.has(each)) continue;
      this.#ready.add(each);
      await this.#hooks(each, 'before');
    }
  }

  async run({ block, body }) {
    const path = pathOf(block);
    for (const each of path) await this.#hooks(each, 'beforeEach');
    try {
      await body();
    } finally {
      for (const each of path.reverse()) await this.#hooks(each, 'afterEach');
    }
  }

  async leave() {
    for (const block of [...this.#ready].reverse()) await this.#hooks(block, 'after');
  }
}

class WarmRunner {
  #times = new Map();
  #folder;
  #tests = [];

  /**
   * What is computed while modules load is not tried, so that nothing has to be loaded again for a mutant which that
   * reaches too. Stryker would start another process for each of these.
   */
  capabilities() {
    return { reloadEnvironment: true };
  }

  async init() {
    this.#folder = process.cwd();
    process.on('unhandledRejection', () => undefined);
    switches.mutantCoverage = { static: {}, perTest: {} };
    register('./hooks.mjs', import.meta.url);
    // That a law is broken is enough; nobody reads for which smallest case.
    fc.configureGlobal({ endOnFailure: true });
    const { files, without } = JSON.parse(process.env.MUTATION_TESTS);
    for (const file of files) await collect(file, () => import(pathToFileURL(join(this.#folder, file)).href));
    this.#tests = tests.filter(({ id }) => !without.some((part) => id.includes(part)));
    // A process that takes the place of one that hung knows what that has measured.
    if (!existsSync(MEASURED)) return;
    const { times, perTest } = JSON.parse(readFileSync(MEASURED, 'utf8'));
    this.#times = new Map(times);
    switches.mutantCoverage.perTest = perTest;
  }

  async dryRun() {
    const round = new Round();
    const results = [];
    for (const test of this.#tests) results.push(await this.#tried(round, test));
    await round.leave();
    for (const { outermost } of this.#tests) delete switches.mutantCoverage.perTest[outermost?.id];
    const { perTest } = switches.mutantCoverage;
    writeFileSync(MEASURED, JSON.stringify({ times: [...this.#times], perTest }));
    return { status: DryRunStatus.Complete, tests: results, mutantCoverage: switches.mutantCoverage };
  }

  /** Runs a test without a mutant; what makes its blocks ready counts as reached by it. */
  async #tried(round, test) {
    const { id, file } = test;
    const before = process.cpuUsage();
    const result = { id, name: id, fileName: join(this.#folder, file) };
    switches.currentTestId = id;
    try {
      await round.enter(test.block);
      for (const block of pathOf(test.block)) this.#share(block, id);
      this.#shareDescription(test);
      await round.run(test);
      const { user, system } = process.cpuUsage(before);
      this.#times.set(id, (user + system) / 1000 + (test.outermost?.cpuMs ?? 0));
      return { ...result, status: TestStatus.Success, timeSpentMs: this.#times.get(id) };
    } catch (error) {
      return { ...result, status: TestStatus.Failed, timeSpentMs: 0, failureMessage: String(error?.stack ?? error) };
    } finally {
      switches.currentTestId = undefined;
    }
  }

  /** The first test of a block reached what its preparations reach; so do all others. */
  #share(block, id) {
    const { perTest } = switches.mutantCoverage;
    perTest[id] ??= {};
    if (block.hooks.before.length === 0) return;
    block.reached ??= { ...perTest[id] };
    Object.assign(perTest[id], { ...block.reached, ...perTest[id] });
  }

  /** What the description beside a test reaches, the test reaches. */
  #shareDescription({ id, outermost }) {
    const { perTest } = switches.mutantCoverage;
    perTest[id] = { ...perTest[outermost?.id], ...perTest[id] };
  }

  async mutantRun({ activeMutant, testFilter, hitLimit, disableBail }) {
    const wanted = testFilter === undefined ? undefined : new Set(testFilter);
    const timeOf = ({ id }) => this.#times.get(id) ?? 0;
    const reaching = this.#tests.filter(({ id }) => wanted?.has(id) ?? true).sort((a, b) => timeOf(a) - timeOf(b));
    let leftMs = PATIENCE_MS;
    const chosen = reaching.filter((test, index) => (leftMs -= timeOf(test)) >= 0 || index === 0);
    const mostHits = this.#hitsOf(activeMutant.id, chosen) * TIMES_AS_OFTEN || hitLimit;
    Object.assign(switches, { activeMutant: activeMutant.id, hitCount: mostHits && 0, hitLimit: mostHits });
    const results = [];
    try {
      for (const test of chosen) {
        results.push(await this.#judged(test));
        if (results.at(-1).status === TestStatus.Failed) break;
      }
    } finally {
      switches.activeMutant = undefined;
    }
    const result = { status: DryRunStatus.Complete, tests: results };
    return toMutantRunResult(determineHitLimitReached(switches.hitCount, mostHits) ?? result, disableBail);
  }

  /** How often tests reach a mutant, all of them together. */
  #hitsOf(mutantId, chosen) {
    const { perTest } = switches.mutantCoverage;
    return chosen.reduce((sum, { id }) => sum + (perTest[id]?.[mutantId] ?? 0), 0);
  }

  async #judged(test) {
    const { id } = test;
    const round = new Round();
    const limitMs = Math.max(AT_LEAST_MS, TIMES_AS_LONG * (this.#times.get(id) ?? 0));
    try {
      await within(limitMs, async () => {
        const again = readAgain(test);
        await round.enter(again.block);
        await round.run(again);
        await round.leave();
      });
      return { id, name: id, timeSpentMs: 0, status: TestStatus.Success };
    } catch (error) {
      return { id, name: id, timeSpentMs: 0, status: TestStatus.Failed, failureMessage: String(error?.message) };
    }
  }
}

const factory = () => new WarmRunner();
factory.inject = [];

const inOneLine = (code) => code.replaceAll(/\s+/g, ' ');

/** Names what goes unnoticed as soon as it is known, and counts by file: a run that is ended early has told something. */
class UnnoticedReporter {
  #counts = new Map();
  #isWhole = false;

  constructor() {
    process.on('exit', () => this.#isWhole || this.#tellCounts());
  }

  onMutantTested({ status, fileName, location: { start, end }, replacement }) {
    const name = relative('.', fileName);
    const isUnnoticed = status === 'Survived' || status === 'NoCoverage';
    if (!isUnnoticed && status !== 'Killed' && status !== 'Timeout') return;
    const { tried, unnoticed } = this.#counts.get(name) ?? { tried: 0, unnoticed: 0 };
    this.#counts.set(name, { tried: tried + 1, unnoticed: unnoticed + Number(isUnnoticed) });
    if (!isUnnoticed) return;
    const lines = readFileSync(fileName, 'utf8')
      .split('\n')
      .slice(start.line - 1, end.line);
    lines.push(lines.pop().slice(0, end.column - 1));
    const before = inOneLine(lines.join(' ').slice(start.column - 1));
    console.log(`${status} ${name}:${start.line}: ${before} → ${inOneLine(replacement)}`);
  }

  onMutationTestReportReady() {
    this.#isWhole = true;
  }

  #tellCounts() {
    for (const [name, { tried, unnoticed }] of this.#counts)
      console.log(`So far ${name}: ${tried} tried, ${unnoticed} unnoticed`);
  }
}

export const strykerPlugins = [
  declareFactoryPlugin(PluginKind.TestRunner, 'warm', factory),
  declareClassPlugin(PluginKind.Reporter, 'unnoticed', UnnoticedReporter),
];
