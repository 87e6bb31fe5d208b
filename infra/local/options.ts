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
  /** Whether events go to a stand-in for Event Grid. */
  readonly eventGrid: boolean;
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

function argumentsIn(argv: readonly string[]): Pick<StartOptions, 'host' | 'https' | 'eventGrid'> {
  const text = `Unknown arguments: ${argv.join(' ')}. Known: --host func, or --https; --event-grid.`;
  const options = {
    host: { type: 'string', default: 'embedded' },
    https: { type: 'boolean', default: false },
    'event-grid': { type: 'boolean', default: false },
  } as const;
  let values: { readonly host: string; readonly https: boolean; readonly 'event-grid': boolean };
  try {
    values = parseArgs({ args: [...argv], options, strict: true }).values;
  } catch (cause) {
    throw new BadOption(text, { cause });
  }
  const { host, https, 'event-grid': eventGrid } = values;
  if (host === 'embedded' || (host === 'func' && !https)) return { host, https, eventGrid };
  throw new BadOption(text);
}

type Variables = Readonly<Record<string, string | undefined>>;

function catalogueOf({ STAC_CASES: names = '', STAC_DIR: folder, SCENES_DIR }: Variables): UntidyCatalogue {
  if (SCENES_DIR !== undefined) {
    throw new BadOption(
      'SCENES_DIR is no more: scenes for all areas come from the catalogue; put STAC items into STAC_DIR.',
    );
  }
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
