// Whole runs of the deployment programs against stand-ins, for the tests of what they do and of what they type.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { release } from '../../../infra/deploy/release.mjs';
import { azVersion, failure, listed, outputs, worldOf, type Answers, type World } from './standIn.js';

export const commit = 'a'.repeat(40);
export const commitBefore = 'b'.repeat(40);
const github = 'https://pipelines.actions.example/token';
const functions = ['serviceHealth', 'gddCalculate', 'upkeepWorkSweep'];

/** The folder that CI keeps: what a release needs of it. */
export function packageFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'package-'));
  writeFileSync(join(folder, 'functions.json'), JSON.stringify(functions));
  return folder;
}

export interface ReleaseGiven {
  readonly variables?: Readonly<Record<string, string>>;
  readonly answers?: Answers;
  /** Tags of the resource group before. */
  readonly tags?: Readonly<Record<string, string>>;
  /** What the compiler gives for parameters, by name; the commit is added. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** Parameters of the deployment before, by name. */
  readonly parametersBefore?: Readonly<Record<string, unknown>>;
  readonly infrastructure?: 'changed' | 'always' | 'never';
  /** True for a package that was chosen by its hash. */
  readonly stays?: boolean;
  readonly withoutPause?: boolean;
  readonly commit?: string;
  /** True in a job of GitHub, which gives proofs of who it is. */
  readonly isInGitHub?: boolean;
  /** True at the first release: nobody answers yet. */
  readonly isNew?: boolean;
  /** Status of the operator API; 0 where nobody answers. */
  readonly operate?: number;
  /** The address that alone answers from some command on; the app's own one then refuses everybody, as the platform does. */
  readonly frontDoor?: { readonly url: string; readonly closes: RegExp };
  /** Checks of the smoke test that fail, by the commit that serves. */
  readonly failing?: (serving: string) => readonly string[];
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
  /** Tags of the resource group afterwards. */
  readonly tags: Readonly<Record<string, string>>;
  /** Those, and the commands of programs, as they came. */
  readonly order: readonly string[];
}

const valued = (parameters: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, { type: 'Object', value }]));

/** One release; the service serves what was deployed last. */
export async function runRelease(given: ReleaseGiven): Promise<ReleaseRun> {
  const folder = packageFolder();
  let serving: string | undefined = given.isNew === true ? undefined : commitBefore;
  let asked = 0;
  const operated: string[] = [];
  const order: string[] = [];
  let isClosed = false;
  let proofs = 0;
  const tags: Record<string, string> = { ...given.tags };
  const deployed = (command: string): string => {
    serving = command.includes('previous/') ? commitBefore : commit;
    return '';
  };
  const proved = (): string => {
    const failing = given.failing?.(serving ?? '') ?? [];
    const lines = ['passed  health             0.1 s', ...failing.map((check) => `failed  ${check}  9.9 s  503`)];
    if (failing.length > 0) throw failure(lines.join('\n'));
    return lines.join('\n');
  };
  const state = (lastTick: string): Response => {
    asked += 1;
    if (given.stateFails?.(asked) === true) return new Response('busy', { status: 503 });
    return Response.json({ atWork: given.atWork?.(asked) ?? 0, lastTick });
  };
  const operate = (body: string): Response => {
    if (given.operate === 0) throw new TypeError('fetch failed');
    if (given.operate !== undefined) return new Response('no', { status: given.operate });
    const { command } = JSON.parse(body) as { command: string };
    operated.push(command);
    order.push(command);
    return Response.json({});
  };
  const service = (path: string, tickAt: number, init: RequestInit | undefined): Response => {
    const lastTick = new Date(tickAt).toISOString();
    // A version without the operator API tells no tick.
    const isToldTick = serving === commit || given.operate !== 404;
    if (path === '/health') return Response.json({ status: 'ok', commit: serving });
    if (path === '/ready') return Response.json({ ready: true, ...(isToldTick ? { lastTick } : {}) });
    return path === '/operate/v1/state' ? state(lastTick) : operate(init?.body as string);
  };
  const answerOf = (address: string, tickAt: number, init: RequestInit | undefined): Response => {
    if (address.startsWith(github)) return Response.json({ value: `proof-${String((proofs += 1))}` });
    if (serving === undefined) throw new TypeError('fetch failed');
    const open = isClosed ? given.frontDoor!.url : outputs.baseUrl;
    if (!address.startsWith(`${open}/`)) return new Response('<h1>Forbidden</h1>', { status: 403 });
    return service(address.slice(open.length), tickAt, init);
  };
  const world = worldOf({
    env: {
      ...(given.isInGitHub === true
        ? { ACTIONS_ID_TOKEN_REQUEST_URL: `${github}?v=1`, AZURE_CLIENT_ID: 'deployer', AZURE_TENANT_ID: 'tenant' }
        : {}),
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
      [/az deployment group list .*\.parameters/, JSON.stringify(valued(given.parametersBefore ?? {}))],
      ['az deployment group list', listed],
      ['az account get-access-token', 'a-token'],
      [
        /compileBicep\.mjs --print/,
        JSON.stringify({
          templateJson: '{}',
          parametersJson: JSON.stringify({
            parameters: valued({ ...given.parameters, labels: { owner: 'us', commit: given.commit ?? commit } }),
          }),
        }),
      ],
      ['az group show', () => JSON.stringify({ id: '/subscriptions/s/resourceGroups/rg', tags })],
      ['az deployment group what-if', '~ Microsoft.Web/sites/func'],
      ['az functionapp show', '/subscriptions/s/resourceGroups/rg/providers/Microsoft.Web/sites/func'],
      ['az functionapp function list', functions.map((name) => `${outputs.appName}/${name}`).join('\n')],
      [
        /findPackage\.mjs --running/,
        given.isNew === true
          ? ''
          : `hash=${'0'.repeat(64)}\nrun=7\ncommit=${commitBefore}\npackage=previous/package.zip`,
      ],
    ],
    // What it throws is a rejection, as with the real one.
    fetch: (address, init, { now }) =>
      new Promise((resolve) => {
        resolve(answerOf(address, now() + (given.tickAfterMs ?? 1), init));
      }),
  });
  const run: World['run'] = (program, args, env) => {
    const said = world.run(program, args, env);
    const line = args.join(' ');
    order.push(line);
    if (given.frontDoor?.closes.test(line) === true) isClosed = true;
    const [, tag, value] = /^tag update .*--operation Merge --tags (\w+)=(\w+)/.exec(line) ?? [];
    if (tag !== undefined && value !== undefined) tags[tag] = value;
    if (line.includes('smoke.mjs') && said === '') return proved();
    return line.includes('config-zip') ? deployed(line) : said;
  };
  const { infrastructure = 'changed', stays = false, withoutPause = false } = given;
  const fault = await release({ ...world, run }, { folder, commit, infrastructure, stays, withoutPause }).then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error : failure(String(error))),
  );
  return { world, fault, operated, tags, order };
}
