import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { nodeVersions } from '../../infra/build/testVersions.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = join(root, '.github/workflows');
const workflows = readdirSync(folder).map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
const textOf = (name: string): string => workflows.find((workflow) => workflow.name === name)!.text;

describe.each(workflows)('$name', ({ text }) => {
  const uses = [...text.matchAll(/uses: (\S+)(?: # (\S+))?/g)].map(([, action = '', tag = '']) => ({ action, tag }));

  test('pins every action to a commit and names its tag', () => {
    const loose = uses.filter(
      ({ action, tag }) => !action.startsWith('./') && !(/@[0-9a-f]{40}$/.test(action) && /^v\d+\.\d+\.\d+$/.test(tag)),
    );
    expect(uses.length).toBeGreaterThan(0);
    expect(loose).toEqual([]);
  });
  test('calls workflows that exist', () => {
    const called = uses.filter(({ action }) => action.startsWith('./'));
    expect(called.filter(({ action }) => !existsSync(join(root, action)))).toEqual([]);
  });
  test('says which rights its token has', () => {
    expect(text).toMatch(/^permissions:/m);
    expect(text).not.toMatch(/write-all/);
  });
  test('reads no secret: it signs in by OIDC', () => {
    expect(text).not.toMatch(/secrets\./);
  });
  test('runs scripts and npm commands that exist', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const commands = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name);
    expect(commands.filter((name) => !(name in scripts))).toEqual([]);
    const files = [...text.matchAll(/node ([\w./-]+\.mjs)/g)].map(([, file = '']) => file);
    // The artifact of CI has the smoke test beside the package.
    const ours = files.filter((file) => !file.startsWith('package/'));
    expect(ours.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });
});

test('every supported version of Node is tested, the one of production among them', () => {
  const matrix = /node: \[(.*)\]/.exec(textOf('ci.yml'))?.[1]?.replaceAll("'", '').split(', ');
  expect(matrix).toEqual(nodeVersions);
  const bicep = readFileSync(join(root, 'infra/azure/modules/functionApp.bicep'), 'utf8');
  const production = /name: 'node'\s+version: '(\d+)'/.exec(bicep)?.[1];
  expect(nodeVersions).toContain(production);
  expect(readFileSync(join(root, '.nvmrc'), 'utf8').trim()).toBe(production);
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { engines: { node: string } };
  expect(engines.node).toBe(`>=${nodeVersions[0]!}`);
});

test('one action is pinned to one commit everywhere', () => {
  const pins = workflows.flatMap(({ text }) => [...text.matchAll(/uses: ([\w/-]+)@([0-9a-f]{40})/g)]);
  const commits = new Map<string, Set<string>>();
  for (const [, action = '', commit = ''] of pins) commits.set(action, (commits.get(action) ?? new Set()).add(commit));
  expect([...commits].filter(([, set]) => set.size > 1)).toEqual([]);
});

test('the Bicep CLI is the one of bicep.csproj: nothing installs another', () => {
  for (const { text } of workflows) expect(text).not.toMatch(/az bicep/);
  expect(textOf('ci.yml')).toContain('npm run infra:check -- --with-compiler');
  expect(readFileSync(join(root, '.ci/run'), 'utf8')).toContain('npm run check:static');
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  expect(scripts['check:static']).toContain('infra:compile');
});

describe('a deployment', () => {
  const text = textOf('deploy.yml');

  test('takes the tested package, compares its origin, and has it released from the sources of its commit', () => {
    const steps = [
      'node tools/deploy/findPackage.mjs ${HASH:+--hash "$HASH"} ${RUN:+--run "$RUN"} --into package',
      'gh attestation verify',
      'ref: ${{ steps.package.outputs.commit }}',
      'azure/login@',
      "infra/deploy/release.mjs --package ../package --commit '${{ steps.package.outputs.commit }}'",
      // What a person has chosen stays.
      '--infrastructure "$INFRASTRUCTURE" ${HASH:+--stay} $WITHOUT_PAUSE',
    ];
    const places = steps.map((step) => text.indexOf(step));
    expect(places.every((place) => place > 0)).toBe(true);
    expect([...places].sort((a, b) => a - b)).toEqual(places);
  });
  test('comes after a run of CI that has passed, where the repository wants it, or by hand; it builds nothing', () => {
    expect(text).toMatch(/workflow_run:\n {4}workflows: \[CI\]/);
    expect(text).toContain("vars.DEPLOY == 'true' &&\n      github.event.workflow_run.conclusion == 'success'");
    expect(text).not.toMatch(/npm (ci|run|test)/);
  });
  test("that waits is no other environment's to cancel, and no skipped run's", () => {
    interface Run {
      readonly name: string;
      readonly environment?: string;
      readonly isSkipped?: boolean;
    }
    // One runs and one waits in a group; a newer one that waits cancels the older (GitHub's page on concurrency). A group of
    // a workflow is entered by every run of it, one of a job only by a job that is not skipped.
    const isOfJob = /^ {4}concurrency:/m.test(text);
    const group = /^ +group: (.*)$/m.exec(text)?.[1] ?? '';
    const groupOf = ({ environment = 'test' }: Run): string =>
      group.replace("${{ inputs.environment || 'test' }}", environment);
    const lines = new Map<string, readonly Run[]>();
    for (const run of [
      { name: 'release to prod', environment: 'prod' },
      { name: 'way back of prod', environment: 'prod' },
      { name: 'CI that has failed', isSkipped: true },
      { name: 'CI of a commit' },
      { name: 'CI of the next commit' },
    ]) {
      if (isOfJob && run.isSkipped === true) continue;
      lines.set(groupOf(run), [...(lines.get(groupOf(run)) ?? []).slice(0, 1), run]);
    }
    expect([...lines.values()].flat().map(({ name }) => name)).toEqual([
      'release to prod',
      'way back of prod',
      'CI of a commit',
      'CI of the next commit',
    ]);
    expect(text).not.toMatch(/cancel-in-progress: (?!false)/);
  });
  test('goes to production by hand alone', () => {
    expect(text).toContain("environment: ${{ inputs.environment || 'test' }}");
    expect(text).toMatch(/options: \[test, prod\]/);
  });
  test('hands on every variable of the environment: release.mjs takes those that parameter files read', () => {
    expect(text).toContain('SETTINGS: ${{ toJSON(vars) }}');
    expect(text).toContain("ENVIRONMENT: ${{ inputs.environment || 'test' }}");
  });
  test('runs on hosted runners: nothing that a deployment asks is closed to them', () => {
    for (const { text: workflow } of workflows) {
      expect([...new Set([...workflow.matchAll(/runs-on: (.*)/g)].map(([, runner]) => runner))]).toEqual([
        'ubuntu-24.04',
      ]);
    }
  });
});

describe('the package that CI keeps', () => {
  const ci = textOf('ci.yml');
  const job = ci.slice(ci.indexOf('\n  package:'));
  test('is the file that was tested, kept when everything else has passed', () => {
    expect(job).toContain('needs: [test, check, full, bicep]');
    const steps = [
      'npm run test:full -- tests/contract/package.test.ts',
      'dist/functions.json build/local/smoke.mjs package/',
      'sha256sum',
      'upload-artifact',
      "vars.ATTEST == 'true'",
      'attest-build-provenance',
      'subject-digest: sha256:${{ needs.package.outputs.hash }}',
    ];
    const places = steps.map((step) => job.indexOf(step));
    expect([...places].sort((a, b) => a - b)).toEqual(places);
    expect(places[0]).toBeGreaterThan(0);
    expect(job.slice(places[2])).not.toMatch(/npm run package|bundle\.mjs/);
  });
});

test("what runs code of packages can sign in nobody's name", () => {
  const jobs = workflows.flatMap(({ text }) => text.split(/^ {2}(?=\w+:\n {4}name:)/m).slice(1));
  const signing = jobs.filter((job) => job.includes('id-token: write'));
  expect(signing).toHaveLength(2);
  expect(signing.filter((job) => /npm (?:ci|run|test|install)/.test(job))).toEqual([]);
});

describe('every week', () => {
  const weekly = textOf('weekly.yml');
  const locks = spawnSync('git', ['ls-files', '*package-lock.json'], { cwd: root, encoding: 'utf8' })
    .stdout.trim()
    .split('\n');
  test('weaknesses of every package are asked for, those that only the console ships too', () => {
    const [, folders = ''] = /folder: \[(.*)\]/.exec(weekly) ?? [];
    const named = folders.split(', ').map((name) => name.replaceAll("'", ''));
    expect(named.sort()).toEqual(locks.map((path) => dirname(path)).sort());
    expect(weekly).toMatch(/npm audit (?!.*--omit)/);
    const dependabot = readFileSync(join(root, '.github/dependabot.yml'), 'utf8');
    expect(named.filter((name) => name !== '.' && !dependabot.includes(`/${name}`))).toEqual([]);
  });
  test.each([
    { today: '2026-11-01', says: /^Node 22 ends on 2027-04-30, in 180 days/, status: 0 },
    { today: '2026-11-02', says: /^::warning::Node 22 .* in 179 days/, status: 0 },
    { today: '2027-03-02', says: /^::error::Node 22 .* in 59 days/, status: 1 },
  ])('the end of the version of Node is told in time: $today', ({ today, says, status }) => {
    const said = spawnSync(process.execPath, ['tools/deploy/endOfNode.mjs', today], { cwd: root, encoding: 'utf8' });
    expect(said.stdout).toMatch(says);
    expect(said.status).toBe(status);
  });
});

describe('azure.yaml', () => {
  const text = readFileSync(join(root, 'azure.yaml'), 'utf8');

  test('names the template and its version', () => {
    const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, string>;
    expect(text).toContain(`metadata:\n  template: ${name ?? ''}@${version ?? ''}\n`);
  });

  test('deploys a parameter file that exists', () => {
    const module = /^ {2}module: (\w+)$/m.exec(text)?.[1] ?? '';
    expect(existsSync(join(root, `infra/azure/${module}.bicepparam`))).toBe(true);
  });
  test('runs programs that exist', () => {
    const files = [...text.matchAll(/node ([\w./-]+\.mjs)/g)].map(([, file = '']) => file);
    expect(files.length).toBeGreaterThan(3);
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });
  test('brings the files of the package, and has nothing built on Azure', () => {
    expect(text).toMatch(/dist: build\/app/);
    expect(text).toMatch(/remoteBuild: false/);
    expect(readFileSync(join(root, 'infra/build/package.mjs'), 'utf8')).toContain("join('build/app', name)");
  });
  test('finds the app by the tag that Bicep gives it', () => {
    const service = /^services:\n {2}(\w+):/m.exec(text)?.[1] ?? 'none';
    const bicep = readFileSync(join(root, 'infra/azure/modules/functionApp.bicep'), 'utf8');
    expect(bicep).toContain(`'azd-service-name': '${service}'`);
  });
});
