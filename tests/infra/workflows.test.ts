import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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

test('the Bicep CLI has one version everywhere', () => {
  const versions = workflows.flatMap(({ text }) => [...text.matchAll(/az bicep install --version (\S+)/g)]);
  expect(new Set(versions.map(([, version]) => version))).toEqual(new Set(['v0.46.1']));
});

test.each(['deploy.yml', 'deployEnvironment.yml'])('%s hands on every variable that parameter files read', (name) => {
  const parameters = readFileSync(join(root, 'infra/azure/prod.bicepparam'), 'utf8');
  const read = [...parameters.matchAll(/readEnvironmentVariable\('(\w+)'/g)].map(([, variable = '']) => variable);
  const given = [...textOf(name).matchAll(/^ {6}(\w+): \$\{\{/gm)].map(([, variable = '']) => variable);
  expect(read.length).toBeGreaterThan(0);
  expect(read.filter((variable) => !given.includes(variable))).toEqual([]);
});

describe('a deployment', () => {
  const text = textOf('deployEnvironment.yml');
  const deploy = textOf('deploy.yml');
  const jobOf = (name: string): string =>
    new RegExp(`\\n  ${name}:\\n([\\s\\S]*?)(?=\\n  \\w+:\\n|$)`).exec(deploy)?.[1] ?? '';

  test('takes the tested package, makes the infrastructure, then the code, proves it with a real token, else goes back', () => {
    const steps = [
      "findPackage.mjs --hash '${{ inputs.package }}'",
      'gh attestation verify',
      'az deployment group create',
      'findPackage.mjs --running',
      'package: package/package.zip',
      'node package/smoke.mjs',
      'if: failure()',
    ];
    const places = steps.map((step) => text.indexOf(step));
    expect(places.every((place) => place > 0)).toBe(true);
    expect([...places].sort((a, b) => a - b)).toEqual(places);
  });
  test('comes after a run of CI that has passed, builds nothing, and goes to dev, test, canary and prod in this order', () => {
    expect(deploy).toMatch(/workflow_run:\n {4}workflows: \[CI\]/);
    expect(jobOf('package')).toContain("github.event.workflow_run.conclusion == 'success'");
    expect(deploy + text).not.toMatch(/npm (ci|run|test)/);
    const before = [...deploy.matchAll(/\n {2}(\w+):\n {4}needs: (?:\[package, (\w+)\]|package)/g)];
    expect(before.map(([, job, needed = 'package']) => `${needed} > ${job ?? ''}`)).toEqual([
      'package > dev',
      'dev > test',
      'test > canary',
      'canary > prod',
    ]);
  });
  test('chooses the runner by a variable of the repository: those of an environment are empty in runs-on', () => {
    expect(text).toContain('runs-on: ${{ inputs.runner }}');
    for (const { text: workflow } of workflows) expect(workflow).not.toMatch(/runs-on:.*vars\./);
  });
  test.each(['test', 'canary', 'prod'])(
    'runs %s, which is closed, on a runner of its own unless told otherwise',
    (name) => {
      expect(readFileSync(join(root, `infra/azure/${name}.bicepparam`), 'utf8')).toContain('private: true');
      expect(jobOf(name)).toContain(`vars.RUNNER_${name.toUpperCase()} || 'self-hosted'`);
    },
  );
  test('has the name by which the runbook finds its outputs', () => {
    const page = readFileSync(join(root, 'docs/operations.md'), 'utf8');
    const namesIn = (commands: string): readonly string[] =>
      [...commands.matchAll(/az deployment group (?:create|show) [^\n]*?--name "?([\w-]+)/g)].map(
        ([, name = '']) => name,
      );
    expect(new Set([...namesIn(page), ...namesIn(text)])).toEqual(new Set(['service']));
  });
  test('by hand changes nothing but the code', () => {
    expect(deploy.match(/infrastructure: \$\{\{ github\.event_name == 'workflow_run' \}\}/g)).toHaveLength(4);
    expect(text).toMatch(/name: Infrastructure\n {8}if: inputs\.infrastructure/);
  });
});

describe('the package that CI keeps', () => {
  const ci = textOf('ci.yml');
  const job = ci.slice(ci.indexOf('\n  package:'), ci.indexOf('\n  psrule:'));
  test('is the file that was tested, kept when everything else has passed', () => {
    expect(job).toContain('needs: [test, check, full, bicep]');
    const steps = [
      'npm run test:full -- tests/contract/package.test.ts',
      'sha256sum',
      'attest-build-provenance',
      'upload-artifact',
    ];
    const places = steps.map((step) => job.indexOf(step));
    expect([...places].sort((a, b) => a - b)).toEqual(places);
    expect(places[0]).toBeGreaterThan(0);
    expect(job.slice(places[1])).not.toMatch(/npm run package|bundle\.mjs/);
  });
});

test('azd deploys a parameter file that exists', () => {
  const module = /^ {2}module: (\w+)$/m.exec(readFileSync(join(root, 'azure.yaml'), 'utf8'))?.[1] ?? '';
  expect(existsSync(join(root, `infra/azure/${module}.bicepparam`))).toBe(true);
});
