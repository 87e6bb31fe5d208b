// Whole runs of the deployment programs against stand-ins, for the tests of what they do and of what they type.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { release } from '../../../infra/deploy/release.mjs';
import { azVersion, failure, listed, outputs, worldOf, type Answers, type World } from './standIn.js';

export const commit = 'a'.repeat(40);
export const commitBefore = 'b'.repeat(40);
const functions = ['serviceHealth', 'gddCalculate', 'upkeepWorkSweep'];

/** The folder that CI keeps: what a release needs of it. */
export function packageFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'package-'));
  writeFileSync(join(folder, 'functions.json'), JSON.stringify(functions));
  return folder;
}

const change = (changeType: string, resourceId: string, paths: readonly string[] = []): object => ({
  changeType,
  resourceId: `/subscriptions/s/resourceGroups/rg/providers/${resourceId}`,
  ...(paths.length === 0 ? {} : { delta: paths.map((path) => ({ path, propertyChangeType: 'Modify' })) }),
});

/** `az deployment group what-if --no-pretty-print`, as in the reference of its answer. */
export const whatIf = {
  tagsAlone: JSON.stringify({
    status: 'Succeeded',
    changes: [
      change('NoChange', 'Microsoft.KeyVault/vaults/kv'),
      change('Ignore', 'Microsoft.Insights/actionGroups/other'),
      change('Modify', 'Microsoft.Web/sites/func', ['tags.commit']),
    ],
  }),
  settings: JSON.stringify({
    status: 'Succeeded',
    changes: [change('Modify', 'Microsoft.Web/sites/func', ['tags.commit', 'properties.siteConfig'])],
  }),
  untold: JSON.stringify({
    status: 'Succeeded',
    changes: [change('Unsupported', 'Microsoft.Authorization/roleAssignments/x')],
  }),
};

export interface ReleaseGiven {
  readonly variables?: Readonly<Record<string, string>>;
  readonly answers?: Answers;
  readonly isCodeOnly?: boolean;
  /** True at the first release: nobody answers yet. */
  readonly isNew?: boolean;
  /** Status of the operator API. */
  readonly operate?: number;
  /** Pieces at work, by how often it was asked. */
  readonly atWork?: (asked: number) => number;
  /** Whether the state can't be told, by how often it was asked. */
  readonly stateFails?: (asked: number) => boolean;
  /** When the last tick was, in milliseconds after each look. */
  readonly tickAfterMs?: number;
}

export interface ReleaseRun {
  readonly world: World;
  /** Undefined when it succeeded. */
  readonly fault: Error | undefined;
  /** Commands to the operator API. */
  readonly operated: readonly string[];
  /** Those, and the commands of programs, as they came. */
  readonly order: readonly string[];
}

/** One release; the service serves what was deployed last. */
export async function runRelease(given: ReleaseGiven): Promise<ReleaseRun> {
  const folder = packageFolder();
  let serving: string | undefined = given.isNew === true ? undefined : commitBefore;
  let asked = 0;
  const operated: string[] = [];
  const order: string[] = [];
  const deployed = (command: string): string => {
    serving = command.includes('previous/') ? commitBefore : commit;
    return '';
  };
  const state = (lastTick: string): Response => {
    asked += 1;
    if (given.stateFails?.(asked) === true) return new Response('busy', { status: 503 });
    return Response.json({ atWork: given.atWork?.(asked) ?? 0, lastTick });
  };
  const operate = (body: string): Response => {
    if (given.operate !== undefined) return new Response('no', { status: given.operate });
    const { command } = JSON.parse(body) as { command: string };
    operated.push(command);
    order.push(command);
    return Response.json({});
  };
  const world = worldOf({
    env: {
      SETTINGS: JSON.stringify({
        AZURE_RESOURCE_GROUP: 'rg-fields-prod',
        SIZE: 'large',
        TOKEN_AUDIENCE: 'app-id',
        ALERT_EMAILS: 'team@example.com',
        ...given.variables,
      }),
    },
    answers: [
      ...(given.answers ?? []),
      ['node --version', 'v22.1.0'],
      ['az version', azVersion],
      ['az deployment group list', listed],
      ['az account get-access-token', 'a-token'],
      [/compileBicep\.mjs --print/, JSON.stringify({ templateJson: '{}', parametersJson: '{}' })],
      ['az deployment group what-if', whatIf.tagsAlone],
      ['az functionapp show', '/subscriptions/s/resourceGroups/rg/providers/Microsoft.Web/sites/func'],
      ['az functionapp function list', functions.map((name) => `${outputs.appName}/${name}`).join('\n')],
      [
        /findPackage\.mjs --running/,
        given.isNew === true
          ? ''
          : `hash=${'0'.repeat(64)}\nrun=7\ncommit=${commitBefore}\npackage=previous/package.zip`,
      ],
    ],
    fetch: (address, init, { now }) => {
      if (serving === undefined) return Promise.reject(new TypeError('fetch failed'));
      const path = address.replace(outputs.baseUrl, '');
      const lastTick = new Date(now() + (given.tickAfterMs ?? 1)).toISOString();
      // A version without the operator API tells no tick.
      const isToldTick = serving === commit || given.operate !== 404;
      if (path === '/health') return Response.json({ status: 'ok', commit: serving });
      if (path === '/ready') return Response.json({ ready: true, ...(isToldTick ? { lastTick } : {}) });
      return path === '/operate/v1/state' ? state(lastTick) : operate(init?.body as string);
    },
  });
  const run: World['run'] = (program, args, env) => {
    const said = world.run(program, args, env);
    const line = args.join(' ');
    order.push(line);
    return line.includes('config-zip') ? deployed(line) : said;
  };
  const fault = await release({ ...world, run }, { folder, commit, isCodeOnly: given.isCodeOnly ?? false }).then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error : failure(String(error))),
  );
  return { world, fault, operated, order };
}
