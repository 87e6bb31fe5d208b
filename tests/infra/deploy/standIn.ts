import { readFileSync } from 'node:fs';
import { ProgramError, type Ports } from '../../../infra/deploy/ports.mjs';
import type { Outputs } from '../../../infra/deploy/outputs.mjs';

/** What a program answers: its output, or an error with what it said; a function of the attempt, which counts from 1. */
export type Answer = string | ProgramError | ((attempt: number) => string | ProgramError);

/** Answers by the beginning of the command line, or by an expression; the first that fits counts. */
export type Answers = readonly (readonly [command: string | RegExp, answer: Answer])[];

/** A failure, with the text by which the real program says it. */
export const failure = (said: string): ProgramError => new ProgramError('a program', said);

export interface World extends Ports {
  /** Every command line, arguments separated by blanks. */
  readonly commands: string[];
  /** The same as lists of arguments. */
  readonly argumentsOf: (readonly string[])[];
  /** What was sent as a body by a file, in JSON. */
  readonly bodies: Readonly<Record<string, unknown>>[];
  readonly lines: string[];
  readonly warnings: string[];
  readonly slept: number[];
  /** Environment that was handed to a program, by its command line. */
  readonly given: Map<string, Readonly<Record<string, string>>>;
}

type Fetch = (address: string, init: RequestInit | undefined, world: World) => Response | Promise<Response>;

interface Given {
  readonly env?: Ports['env'];
  readonly answers?: Answers;
  readonly fetch?: Fetch;
}

const fits = (pattern: string | RegExp, command: string): boolean =>
  typeof pattern === 'string' ? command.startsWith(pattern) : pattern.test(command);

/** A world in which programs say what they are told to, and time passes by sleeping alone. */
export function worldOf({ env = {}, answers = [], fetch }: Given): World {
  let now = Date.parse('2026-11-26T10:00:00Z');
  const attempts = new Map<string | RegExp, number>();
  const world: World = {
    env,
    commands: [],
    argumentsOf: [],
    bodies: [],
    lines: [],
    warnings: [],
    slept: [],
    given: new Map(),
    run: (program, args, environment) => {
      const command = [program, ...args].join(' ');
      world.commands.push(command);
      world.argumentsOf.push([program, ...args]);
      const file = /--body @(\S+)/.exec(command)?.[1];
      if (file !== undefined) world.bodies.push(JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>);
      if (environment !== undefined) world.given.set(command, environment);
      const found = answers.find(([pattern]) => fits(pattern, command));
      if (found === undefined) return '';
      const attempt = (attempts.get(found[0]) ?? 0) + 1;
      attempts.set(found[0], attempt);
      const answer = typeof found[1] === 'function' ? found[1](attempt) : found[1];
      if (typeof answer !== 'string') throw answer;
      return answer;
    },
    fetch: async (address, init) => {
      if (fetch === undefined) throw new Error(`Nobody should ask ${address}.`);
      return fetch(address, init, world);
    },
    sleep: (ms) => {
      now += ms;
      world.slept.push(ms);
      return Promise.resolve();
    },
    now: () => now,
    log: (line) => {
      world.lines.push(line);
    },
    warn: (line) => {
      world.warnings.push(line);
    },
  };
  return world;
}

/** Outputs of infra/azure/main.bicep, as the test of names holds them to it. */
export const outputs: Outputs = {
  tenantId: '22222222-2222-2222-2222-222222222222',
  appName: 'func-fields-prod-abc',
  baseUrl: 'https://func-fields-prod-abc.azurewebsites.net',
  vaultName: 'kv-prod-abc',
  appPrincipalId: '11111111-1111-1111-1111-111111111111',
  backupGroup: 'rg-fields-prod-backup',
  tokenAudience: '33333333-3333-3333-3333-333333333333',
  addresses: {
    data: addressesOf('stdataprodabc'),
    imagery: addressesOf('stimgprodabc'),
    backups: addressesOf('stbakprodabc'),
  },
};

function addressesOf(account: string): Record<'blob' | 'queue' | 'table', string> {
  const at = (part: string): string => `https://${account}.${part}.core.windows.net`;
  return { blob: at('blob'), queue: at('queue'), table: at('table') };
}

/** The name of an output in Bicep: appName is AZURE_APP_NAME there. */
export const bicepNameOf = (name: string): string =>
  `AZURE_${name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;

const asArm = (values: object): object =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]: [string, unknown]) => [name, { type: 'String', value }]),
  );

/**
 * `az deployment group list --query …`: the outputs of all deployments, the newest last. Modules are deployments too. Azure
 * changes the case of names: azd's source has `azurE_RESOURCE_GROUP` (pkg/infra/provisioning/deployment.go).
 */
export const listed = JSON.stringify([
  asArm({ url: 'https://of-a-module' }),
  asArm(
    Object.fromEntries(
      Object.entries(outputs).map(([name, value]: [string, unknown]) => [
        bicepNameOf(name).replace('AZURE', 'azurE'),
        value,
      ]),
    ),
  ),
  asArm({ name: 'a module that was deployed with it' }),
]);

/** `az version`, from the reference of the command. */
export const azVersion = JSON.stringify({ 'azure-cli': '2.76.0', 'azure-cli-core': '2.76.0', extensions: {} });
/** `azd version --output json`, from the reference of the command. */
export const azdVersion = JSON.stringify({ azd: { version: '1.24.0', commit: 'c'.repeat(40) } });
