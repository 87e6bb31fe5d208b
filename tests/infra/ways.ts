/** The four ways through the code that CONTRIBUTING.md lists, and the rules that they keep. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { floors } from '../../tools/check/floors.mjs';

const root = join(import.meta.dirname, '../..');

/** One line of a way. */
export interface Step {
  readonly file: string;
  /** How the file is reached where no file before it imports it. */
  readonly handOver?: HandOver;
}

/** What can be named as a hand-over, and which files are reached by it. */
const ENTRANCES = {
  /** An operation of the table of functions. */
  function: /^functions\//,
  /** A duty of the table of functions. */
  duty: /^functions\//,
  /** A message of this queue. */
  queue: /^shared\/http\/triggers\//,
  /** A program beside the page. */
  worker: /Worker\.ts$/,
};

export interface HandOver {
  readonly by: keyof typeof ENTRANCES;
  readonly name: string;
}

/** One way, from its heading to the next. */
export interface Way {
  readonly title: string;
  readonly steps: readonly Step[];
}

/** What a run of a way has done. */
export interface Run {
  /** The files of which a function was called. */
  readonly files: ReadonlySet<string>;
  /** What was handed over, as lines name it: `queue jobs-gdd`. */
  readonly handOvers: ReadonlySet<string>;
}

/** Files of the product, each with those that it imports, types included. */
export type Imports = ReadonlyMap<string, readonly string[]>;

const LINE = /^\d+\. `([^`]+)` – (?:by (function|duty|queue|worker) `([^`]+)`: )?\S/;

function stepOf(line: string): Step {
  const [, file, by, name] = LINE.exec(line) ?? [];
  if (file === undefined) throw new Error(`A line of a way begins with its number and its file: ${line}`);
  return by === undefined || name === undefined ? { file } : { file, handOver: { by: by as HandOver['by'], name } };
}

/** The ways of the page, each under a heading of its own. */
export function waysIn(page: string): readonly Way[] {
  const [, section = ''] = /^## Four ways through the code\n(.*?)^## /ms.exec(page) ?? [];
  return section
    .split(/^### /m)
    .slice(1)
    .map((part) => {
      const [title = '', ...lines] = part.split('\n');
      return { title, steps: lines.filter((line) => /^\d+\. /.test(line)).map(stepOf) };
    });
}

/** The files of the product with what each imports. */
export function importsOfProduct(): Imports {
  const files = ['shared', 'functions', 'console'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  const sources = new Set(files.filter((file) => /\.tsx?$/.test(file)));
  return new Map(
    [...sources].map((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      const named = [...text.matchAll(/(?:from |import\()'(\.[^']+)\.js'/g)].map(([, path = '']) =>
        normalize(join(dirname(file), path)),
      );
      return [file, named.flatMap((path) => [`${path}.ts`, `${path}.tsx`].filter((each) => sources.has(each)))];
    }),
  );
}

/** Rooms of parts that every way uses. */
const BELOW = new Set(['kit', 'geo', 'storage', 'raster']);
const NAMED = new Set(floors.flat());
/** What a reader of a way need not open: forms of data, words of errors, settings, names of owners. */
const ASIDE = /(?:Schemas?|Errors?|Faults?|Failures?|Settings|Owner|examples)\.ts$/i;

/** What stands in the place of a file of the lower floors in browsers, by `imports` of package.json. */
const { imports: named } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly imports: Readonly<Record<string, Readonly<Record<'browser' | 'default', string>>>>;
};
const STAND_INS = new Map(Object.values(named).map((each) => [normalize(each.browser), normalize(each.default)]));

/** Whether a file tells something of a way: above the rooms of common parts, and no form, fault or setting. */
export function tells(path: string): boolean {
  const file = STAND_INS.get(path) ?? path;
  const [folder = '', place = ''] = file.replace(/\.tsx?$/, '').split('/');
  return !ASIDE.test(file) && (folder !== 'shared' || (NAMED.has(place) && !BELOW.has(place)));
}

/** Says what stands behind the ports of all others: it imports most of the product. */
const isWiring = (file: string): boolean => /^shared\/wiring\/(?:areas|clients|services|declare)/.test(file);
/** What stands behind a port, by its name. */
const ADAPTER = /(?:Store|Client|Source|Queue|Reader|Writer)\.ts$/;

/** Where a reader looks on: what a file imports; of the wiring, which leads everywhere, the adapters alone. */
const openedBy = (file: string, imports: Imports): readonly string[] => {
  const named = imports.get(file) ?? [];
  return isWiring(file)
    ? named.filter((other) => ADAPTER.test(other))
    : [file, ...named.filter((other) => !isWiring(other))];
};

/** Where a file stands: its room; the folders of these two are as large as other rooms. */
const roomOf = (file: string): string =>
  /^shared\/(?:imagery|scenes)\//.test(file) ? dirname(file) : file.split('/').slice(0, 2).join('/');

/** What a reader finds from the files of a way: they, what they import, and what that needs in its own room. */
export function found(files: readonly string[], imports: Imports): ReadonlySet<string> {
  const near = files.flatMap((file) => [file, ...(imports.get(file) ?? [])]);
  const opened = new Set<string>();
  const left = files.flatMap((file) => openedBy(file, imports));
  for (let file = left.pop(); file !== undefined; file = left.pop()) {
    if (opened.has(file)) continue;
    opened.add(file);
    left.push(...(imports.get(file) ?? []).filter((other) => roomOf(other) === roomOf(file)));
  }
  return new Set([...near, ...opened]);
}

const isThere = ({ by, name }: HandOver, file: string, { handOvers }: Run): boolean =>
  ENTRANCES[by].test(file) && handOvers.has(`${by} ${name}`);

/** The files that nothing before leads to; functions are declared over the services, which a file of the wiring names. */
function unreached({ steps }: Way, imports: Imports, run: Run): readonly string[] {
  const isReached = ({ file, handOver }: Step, at: number): boolean => {
    if (handOver !== undefined) return isThere(handOver, file, run);
    const leads = (named: string): boolean =>
      named === file || (isWiring(named) && isWiring(file) && (imports.get(named)?.includes(file) ?? false));
    return at === 0 || steps.slice(0, at).some((before) => imports.get(before.file)?.some(leads));
  };
  return steps.filter((step, at) => !isReached(step, at)).map(({ file }) => `${file} is reached by nothing before it`);
}

/** Where a way breaks its rules. @param most files that it may have */
export function breachesOf(way: Way, most: number, imports: Imports, run: Run): readonly string[] {
  const files = way.steps.map(({ file }) => file);
  const tooMany = files.length <= most ? [] : [`${files.length} files are more than ${most}`];
  const idle = files.filter((file) => !run.files.has(file)).map((file) => `${file} is not run`);
  const inSight = found(files, imports);
  const left = [...run.files].filter((file) => tells(file) && !inSight.has(file)).sort();
  return [...tooMany, ...idle, ...unreached(way, imports, run), ...left.map((file) => `${file} is left out`)];
}
