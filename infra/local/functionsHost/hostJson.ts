import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseTimeSpan } from './timeSpan.js';

/** Settings of all queue listeners (host.json, `extensions.queues`). */
export interface QueueOptions {
  /** Messages taken at once, 1–32. */
  readonly batchSize: number;
  /** The next batch is taken when no more than this many are running. */
  readonly newBatchThreshold: number;
  /** A message that failed this often goes to the poison queue. */
  readonly maxDequeueCount: number;
  /** How long a failed message stays invisible. */
  readonly visibilityTimeoutMs: number;
  /** Longest wait between two looks at an empty queue. */
  readonly maxPollingIntervalMs: number;
  readonly messageEncoding: 'base64' | 'none';
}

/** What this host reads of host.json; everything has the platform's default. */
export interface HostJson {
  /** Stands before every route; `api` unless set. */
  readonly routePrefix: string;
  /** Infinity = no limit. */
  readonly functionTimeoutMs: number;
  readonly queues: QueueOptions;
  /** Least level by category, as in host.json `logging.logLevel`. */
  readonly logLevels: Readonly<Record<string, string>>;
}

type Tree = Readonly<Record<string, unknown>>;
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value at a path of property names, which .NET configuration compares without case. */
function at(tree: Tree, path: readonly string[]): unknown {
  return path.reduce<unknown>((node, name) => {
    if (!isTree(node)) return undefined;
    const key = Object.keys(node).find((candidate) => candidate.toLowerCase() === name.toLowerCase());
    return key === undefined ? undefined : node[key];
  }, tree);
}

/** Reads one setting; a variable `AzureFunctionsJobHost__a__b` stands above the file, as on the platform. */
type Reader = <T>(path: string, parse: (value: unknown) => T | undefined, fallback: T) => T;

const readerOf =
  (file: Tree, environment: Readonly<Record<string, string | undefined>>): Reader =>
  (path, parse, fallback) => {
    const names = path.split('.');
    const variable = `azurefunctionsjobhost__${names.join('__').toLowerCase()}`;
    const override = Object.entries(environment).find(([name]) => name.toLowerCase() === variable)?.[1];
    const value = override ?? at(file, names);
    if (value === undefined) return fallback;
    const parsed = parse(value);
    if (parsed === undefined) throw new Error(`host.json: ${path} has no meaning as ${JSON.stringify(value)}.`);
    return parsed;
  };

const wholeNumber =
  (least: number, most: number) =>
  (value: unknown): number | undefined => {
    const number = Number(value);
    return Number.isInteger(number) && number >= least && number <= most ? number : undefined;
  };
const duration = (value: unknown): number | undefined => (typeof value === 'string' ? parseTimeSpan(value) : undefined);
const encoding = (value: unknown): 'base64' | 'none' | undefined => {
  const name = typeof value === 'string' ? value.toLowerCase() : undefined;
  return name === 'base64' || name === 'none' ? name : undefined;
};

function queueOptions(read: Reader, isDevelopment: boolean): QueueOptions {
  const path = (name: string): string => `extensions.queues.${name}`;
  const batchSize = read(path('batchSize'), wholeNumber(1, 32), 16);
  return {
    batchSize,
    newBatchThreshold: read(path('newBatchThreshold'), wholeNumber(0, 1000), Math.floor(batchSize / 2)),
    maxDequeueCount: read(path('maxDequeueCount'), wholeNumber(1, 1000), 5),
    visibilityTimeoutMs: read(path('visibilityTimeout'), duration, 0),
    maxPollingIntervalMs: read(path('maxPollingInterval'), duration, isDevelopment ? 2_000 : 60_000),
    messageEncoding: read(path('messageEncoding'), encoding, 'base64'),
  };
}

/** Reads the host settings of an app from the text of its host.json. */
export function parseHostJson(text: string, environment: Readonly<Record<string, string | undefined>>): HostJson {
  const file: unknown = JSON.parse(text);
  if (!isTree(file)) throw new Error('host.json must hold an object.');
  const read = readerOf(file, environment);
  const logLevels = at(file, ['logging', 'logLevel']);
  return {
    routePrefix: read('extensions.http.routePrefix', (value) => (typeof value === 'string' ? value : undefined), 'api'),
    functionTimeoutMs: read('functionTimeout', (value) => (value === '-1' ? Infinity : duration(value)), 30 * 60_000),
    queues: queueOptions(read, environment['AZURE_FUNCTIONS_ENVIRONMENT'] === 'Development'),
    logLevels: isTree(logLevels)
      ? Object.fromEntries(Object.entries(logLevels).map(([category, level]) => [category, String(level)]))
      : {},
  };
}

/** Reads host.json in the app's folder; a missing file means every default. */
export function readHostJson(directory: string, environment: Readonly<Record<string, string | undefined>>): HostJson {
  let text = '{}';
  try {
    text = readFileSync(join(directory, 'host.json'), 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause;
  }
  return parseHostJson(text, environment);
}
