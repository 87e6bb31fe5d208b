// Answers of `az` are written by hand from its documentation: no Azure was asked.
import { describe, expect, test } from '@jest/globals';
import { failure, listed, outputs } from './standIn.js';
import { commit, commitBefore, runRelease, type ReleaseRun } from './scenarios.js';

const indexesOf = ({ world }: ReleaseRun, ...patterns: readonly RegExp[]): readonly number[] =>
  patterns.map((pattern) => world.commands.findIndex((command) => pattern.test(command)));
const countOf = ({ world }: ReleaseRun, pattern: RegExp): number =>
  world.commands.filter((command) => pattern.test(command)).length;

describe('a release', () => {
  test('pauses work, brings code and triggers, waits for all signs of it, proves it, ends the pause', async () => {
    const run = await runRelease({});
    expect(run.fault).toBeUndefined();
    expect(run.operated).toEqual(['drain.start', 'drain.end']);
    const places = indexesOf(
      run,
      /what-if/,
      /--running/,
      /config-zip/,
      /syncfunctiontriggers/,
      /function list/,
      /smoke.*--commit/,
    );
    expect([...places].sort((a, b) => a - b)).toEqual(places);
    expect(places[0]).toBeGreaterThan(0);
    expect(countOf(run, /config-zip/)).toBe(1);
  });
  test('proves when the pause is over: what it asks for must be done', async () => {
    const { order } = await runRelease({});
    const places = ['drain.start', 'config-zip', 'drain.end', 'smoke.mjs'].map((what) =>
      order.findLastIndex((line) => line.includes(what)),
    );
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places[0]).toBeGreaterThan(-1);
  });
  test('goes on where the state can not be told for a while, and ends the pause', async () => {
    const run = await runRelease({ stateFails: (asked) => asked < 3 });
    expect(run.fault).toBeUndefined();
    expect(run.operated).toEqual(['drain.start', 'drain.end']);
  });
  test('ends the pause where something fails before the code', async () => {
    const run = await runRelease({ answers: [['az deployment group create', failure('denied')]] });
    expect(run.fault?.message).toContain('denied');
    expect(run.operated).toEqual(['drain.start', 'drain.end']);
  });
  test('comes to a version that knows no pause, and back to it', async () => {
    const run = await runRelease({ operate: 404, answers: [[/smoke\.mjs/, failure('failed  gdd-jobs')]] });
    expect(run.world.lines).toContain('Pause: the version that runs knows none.');
    expect(run.fault?.message).toContain('The package before serves again');
  });
  test('proves with the token that it asked for first, and what the environment names', async () => {
    const run = await runRelease({ variables: { SMOKE_PARTY_ID: 'party', SMOKE_POINT: '' } });
    const proof = run.world.commands.find((command) => command.includes('smoke.mjs')) ?? '';
    expect(run.world.given.get(proof)).toEqual({ TOKEN: 'a-token', PARTY_ID: 'party' });
    expect(countOf(run, /get-access-token/)).toBe(1);
    expect(run.world.lines.join()).not.toContain('a-token');
  });
  test('sets how code is replaced, whether the infrastructure changes or not', async () => {
    const run = await runRelease({ variables: { UPDATE_STRATEGY: 'RollingUpdate' } });
    expect(countOf(run, /update-strategy config set .*--type RollingUpdate/)).toBe(1);
  });
  test('leaves all infrastructure where the code alone is wanted', async () => {
    const run = await runRelease({ infrastructure: 'never' });
    expect(countOf(run, /what-if|deployment group create/)).toBe(0);
    expect(countOf(run, /config-zip/)).toBe(1);
  });
  test('waits until nothing is at work', async () => {
    const run = await runRelease({ atWork: (asked) => Math.max(0, 3 - asked) });
    expect(run.world.slept.slice(0, 3)).toEqual([15_000, 10_000, 10_000]);
    expect(run.world.lines).toContain('Pause: nothing is at work.');
  });
  test('goes on after ten minutes of a pause: what still works resumes by its lease', async () => {
    const run = await runRelease({ atWork: () => 1 });
    expect(run.fault).toBeUndefined();
    expect(run.world.slept.reduce((sum, ms) => sum + ms, 0)).toBe(605_000);
  });
  test.each([
    { why: 'an empty group', before: '' },
    { why: 'infrastructure that has no code yet', before: listed },
  ])('comes to $why without a pause and without a way back', async ({ before }) => {
    const run = await runRelease({
      isNew: true,
      answers: [['az deployment group list', (attempt) => (attempt === 1 ? before : listed)]],
    });
    expect(run.fault).toBeUndefined();
    expect(run.operated).toEqual([]);
    expect(countOf(run, /deployment group create/)).toBe(1);
    expect(run.world.lines.join('\n')).toContain('Before this release ran nothing of ours');
  });
  test('asks five times for a deployment address that is not ready', async () => {
    const run = await runRelease({
      answers: [[/config-zip/, (attempt) => (attempt < 5 ? failure('503 Service Unavailable') : '')]],
    });
    expect(run.fault).toBeUndefined();
    expect(countOf(run, /config-zip/)).toBe(5);
  });
  test.each([
    { what: 'answers 500', operate: 500, says: 'commands: 500' },
    { what: 'answers 503', operate: 503, says: '503' },
    { what: 'is not there', operate: 0, says: 'fetch failed' },
    {
      what: 'does not let the pipeline',
      operate: 403,
      says: 'Assign the role Release to the identity of the pipeline.',
    },
  ])('comes without a pause where the operator API $what, and says so', async ({ operate, says }) => {
    const run = await runRelease({ operate });
    expect(run.fault).toBeUndefined();
    expect(run.world.lines.join('\n')).toMatch(new RegExp(`Pause: there is none, and the release goes on.*${says}`));
    expect(countOf(run, /config-zip/)).toBe(1);
  });
  test('ends a pause of whose beginning the answer was lost', async () => {
    const run = await runRelease({ operate: 503 });
    expect(run.world.lines.join('\n')).toContain('Pause: it ends by itself within 30 minutes');
  });
  test('asks for no pause where none is wanted', async () => {
    const run = await runRelease({ withoutPause: true });
    expect(run.fault).toBeUndefined();
    expect(run.operated).toEqual([]);
  });
});

describe('the way back', () => {
  const proof: readonly [RegExp, ReturnType<typeof failure>] = [/smoke\.mjs/, failure('failed  gdd-jobs')];

  test('is taken when the proof fails, and the release has failed', async () => {
    const run = await runRelease({ answers: [proof] });
    expect(run.fault?.message).toMatch(
      new RegExp(`The package before serves again; ${commit} does not: .*gdd-jobs`, 's'),
    );
    expect(countOf(run, /config-zip/)).toBe(2);
    expect(run.world.commands.findLast((line) => line.includes('config-zip'))).toContain('--src previous/package.zip');
    expect(run.operated).toEqual(['drain.start', 'drain.end']);
    expect(run.world.lines.join('\n')).toContain(`Code: the commit ${commitBefore} serves`);
  });
  test('is taken when no tick comes after the deployment', async () => {
    const run = await runRelease({ tickAfterMs: -3_600_000 });
    expect(run.world.lines.join('\n')).toContain('A tick newer than the deployment: not within 5 minutes');
    expect(countOf(run, /config-zip/)).toBe(2);
  });
  test('is taken when the platform does not know the functions', async () => {
    const run = await runRelease({ answers: [['az functionapp function list', 'func/WarmUp']] });
    expect(run.fault?.message).toContain('The functions are known to the platform: not within 10 minutes');
  });
  test('is not taken for what fails because of the weather: whole jobs that failed before do not count', async () => {
    const run = await runRelease({ failing: () => ['gdd'] });
    expect(run.fault).toBeUndefined();
    expect(countOf(run, /config-zip/)).toBe(1);
    expect(run.world.lines.join('\n')).toContain('Proof: gdd fail before the release already');
  });
  test.each([
    { what: 'another whole job', failing: (serving: string) => (serving === commit ? ['gdd', 'imagery'] : ['gdd']) },
    { what: 'what is no whole job', failing: () => ['refusals'] },
  ])('is taken when beside the weather $what fails', async ({ failing }) => {
    const run = await runRelease({ failing });
    expect(run.fault?.message).toContain('The package before serves again');
  });
  describe('by hand, while the weather is away,', () => {
    test('is not undone: what was chosen by its hash stays, and the fault is told', async () => {
      const run = await runRelease({ stays: true, failing: () => ['gdd'] });
      expect(run.fault?.message).toMatch(
        new RegExp(`^${commit} stays, for it was chosen by its hash, but: .*gdd`, 's'),
      );
      expect(countOf(run, /config-zip/)).toBe(1);
    });
    test('waits for nothing of the version that runs', async () => {
      const run = await runRelease({ stays: true, infrastructure: 'never', operate: 500 });
      expect(run.fault).toBeUndefined();
      expect(countOf(run, /smoke/)).toBe(1);
    });
    test('goes on where GitHub can not say what runs', async () => {
      const run = await runRelease({ stays: true, answers: [[/findPackage\.mjs --running/, failure('gh: 502')]] });
      expect(run.fault).toBeUndefined();
      expect(run.world.lines.join('\n')).toContain('The package that runs could not be found');
    });
  });
  test('has a sign-in of its own: that of the release may have ended', async () => {
    const run = await runRelease({ answers: [proof], isInGitHub: true });
    const lines = run.order.filter((line) => /federated-token|config-zip/.test(line));
    expect(lines.map((line) => /federated-token (\S+)|--src \S+/.exec(line)?.[1] ?? 'zip')).toEqual([
      'proof-1',
      'zip',
      'proof-2',
      'zip',
    ]);
  });
  test('stands in the summary before anything changes', async () => {
    const run = await runRelease({});
    expect(run.world.lines.join('\n')).toContain(`package=${'0'.repeat(64)}`);
  });
});

describe('behind a Front Door that alone may call the app', () => {
  const url = 'https://fields.contoso.com';
  const publicly = listed.replace(outputs.baseUrl, url);

  test('a release asks the address of callers', async () => {
    const run = await runRelease({
      frontDoor: { url, closes: /^(?:account get-access-token|deployment group list)/ },
      answers: [['az deployment group list', publicly]],
      variables: { FRONT_DOOR_ID: 'id', PUBLIC_URL: url },
    });
    expect(run.fault).toBeUndefined();
    expect(run.operated).toEqual(['drain.start', 'drain.end']);
    expect(countOf(run, /config-zip/)).toBe(1);
  });
  test('the release that closes the address of the app goes on by the other one', async () => {
    const run = await runRelease({
      frontDoor: { url, closes: /^deployment group create/ },
      answers: [['az deployment group list', (attempt) => (attempt === 1 ? listed : publicly)]],
      variables: { FRONT_DOOR_ID: 'id', PUBLIC_URL: url },
    });
    expect(run.fault).toBeUndefined();
    expect(run.operated).toEqual(['drain.start', 'drain.end']);
  });
  test('an environment has an address of callers', async () => {
    expect((await runRelease({ variables: { FRONT_DOOR_ID: 'id' } })).fault?.message).toContain('PUBLIC_URL must name');
  });
});
