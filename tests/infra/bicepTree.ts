import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Language, Parser, type Node } from 'web-tree-sitter';

export type { Node } from 'web-tree-sitter';

export const azureFolder = fileURLToPath(new URL('../../infra/azure/', import.meta.url));

/** One Bicep file as a syntax tree. */
export interface BicepFile {
  /** Path below infra/azure, with slashes. */
  readonly path: string;
  readonly root: Node;
}

const require = createRequire(import.meta.url);

async function createParser(): Promise<Parser> {
  await Parser.init();
  const parser = new Parser();
  const grammar = join(dirname(require.resolve('tree-sitter-bicep/package.json')), 'tree-sitter-bicep.wasm');
  parser.setLanguage(await Language.load(grammar));
  return parser;
}

let parser: Promise<Parser> | undefined;

/** Parses text as the file of the given path. */
export async function parseBicep(path: string, text: string): Promise<BicepFile> {
  const tree = (await (parser ??= createParser())).parse(text);
  if (tree === null) throw new Error(`${path} could not be parsed at all.`);
  return { path, root: tree.rootNode };
}

/** Every `.bicep` file of infra/azure, main.bicep first. */
export async function allBicepFiles(): Promise<readonly BicepFile[]> {
  const modules = readdirSync(join(azureFolder, 'modules')).sort();
  const paths = ['main.bicep', ...modules.map((name) => `modules/${name}`)];
  return Promise.all(paths.map((path) => parseBicep(path, readFileSync(join(azureFolder, path), 'utf8'))));
}

/** The path that `reference` in `file` means, below infra/azure. */
export const resolvedPath = (file: BicepFile, reference: string): string =>
  relative(azureFolder, join(azureFolder, dirname(file.path), reference)).replaceAll('\\', '/');

/** Children that mean something: no punctuation, no comments. */
export const childrenOf = (node: Node): readonly Node[] =>
  node.namedChildren.filter((child) => child.type !== 'comment');

/** The node and everything below it, in the order of the text. */
export function* nodesOf(node: Node): Generator<Node> {
  yield node;
  for (const child of childrenOf(node)) yield* nodesOf(child);
}

/** The text between the quotes of a string without interpolation. */
export const stringOf = (node: Node | undefined): string =>
  node?.type === 'string' ? node.text.replace(/^'+|'+$/g, '') : '';

/** Where a node stands, for a message. */
export const placeOf = (file: BicepFile, node: Node): string => `${file.path}:${node.startPosition.row + 1}`;

/** What the parser could not understand, by place. */
export function syntaxFaults(file: BicepFile): readonly string[] {
  if (!file.root.hasError) return [];
  const faults: string[] = [];
  const visit = (node: Node): void => {
    if (node.isMissing) faults.push(`${placeOf(file, node)}: ${node.type} is missing`);
    else if (node.isError) faults.push(`${placeOf(file, node)}: not understood: ${node.text.slice(0, 60)}`);
    for (const child of node.children) visit(child);
  };
  visit(file.root);
  return faults;
}
