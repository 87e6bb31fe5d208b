import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { namedCases, type UntidyCatalogue } from './standIns/stac/namedCases.js';

/** What `npm start` is asked for. */
export interface StartOptions {
  /** Port of the service. */
  readonly port: number;
  /** LOCAL_DIR, absolute: everything the local environment keeps. */
  readonly directory: string;
  /** Storage is kept in memory, for tests. */
  readonly inMemory: boolean;
  /** `embedded`: our functions host; `func`: Azure Functions Core Tools. */
  readonly host: 'embedded' | 'func';
  /** Whether the service is served over TLS too, as official clients demand. */
  readonly https: boolean;
  /** How often in a minute a host that died is started again. */
  readonly hostRestarts: number;
  /** What the imagery catalogue does that a tidy one doesn't. */
  readonly catalogue: UntidyCatalogue;
}

/** A variable or an argument has no meaning. */
export class BadOption extends Error {}

function wholeNumber(name: string, text: string, most: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 0 && value <= most && text.trim() !== '') return value;
  throw new BadOption(`${name} must be a whole number from 0 to ${most}, not "${text}".`);
}

function argumentsIn(argv: readonly string[]): Pick<StartOptions, 'host' | 'https'> {
  const known = 'Known: --host func, or --https.';
  const unknown = new BadOption(`Unknown arguments: ${argv.join(' ')}. ${known}`);
  try {
    const options = { host: { type: 'string', default: 'embedded' }, https: { type: 'boolean', default: false } } as const;
    const { host, https } = parseArgs({ args: [...argv], options, strict: true }).values;
    if (host === 'embedded') return { host, https };
    if (host === 'func' && !https) return { host, https };
  } catch {
    throw unknown;
  }
  throw unknown;
}

type Variables = Readonly<Record<string, string | undefined>>;

function catalogueOf({ STAC_CASES: names = '', STAC_DIR: folder }: Variables): UntidyCatalogue {
  if (names !== '' && folder !== undefined) {
    throw new BadOption('STAC_CASES is about synthetic scenes; those of STAC_DIR are as they are. Set one of the two.');
  }
  try {
    return namedCases(names);
  } catch (cause) {
    throw new BadOption(`STAC_CASES ${cause instanceof Error ? cause.message : String(cause)}.`, { cause });
  }
}

/** Reads PORT (7071), LOCAL_DIR (.local), IN_MEMORY, HOST_RESTARTS (3), STAC_CASES and the arguments. */
export function readOptions(environment: Variables, argv: readonly string[]): StartOptions {
  return {
    port: wholeNumber('PORT', environment['PORT'] ?? '7071', 65_535),
    directory: resolve(environment['LOCAL_DIR'] ?? '.local'),
    inMemory: ['1', 'true'].includes(environment['IN_MEMORY'] ?? ''),
    ...argumentsIn(argv),
    hostRestarts: wholeNumber('HOST_RESTARTS', environment['HOST_RESTARTS'] ?? '3', 1_000_000),
    catalogue: catalogueOf(environment),
  };
}
