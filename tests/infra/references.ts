import { childrenOf, placeOf, resolvedPath, stringOf, type BicepFile, type Node } from './bicepTree.js';
import { bodyOf, declarationsOf, declared, importsOf, propertiesOf, type Declaration } from './declarations.js';

/** Built-in functions, types and decorators that our files use. A new one is added here when it is used. */
const BUILT_INS = new Set(
  `allowed batchSize cidrSubnet concat contains description empty environment export filter flatten guid int items join length
  loadTextContent map maxLength maxValue minLength minValue null range replace resourceGroup resourceId split string
  subscriptionResourceId take tenant toObject union uniqueString bool fail`.split(/\s+/),
);

/** Names that exist inside of a loop or lambda only. */
function* localNames(node: Node): Generator<string> {
  if (['for_statement', 'lambda_expression', 'user_defined_function'].includes(node.type)) {
    const declaring = ['loop_variable', 'loop_enumerator', 'parameter'];
    for (const child of childrenOf(node)) {
      if (child.type === 'for_loop_parameters' || child.type === 'parameters') yield* boundNames(child);
      else if (declaring.includes(child.type)) yield child.text;
    }
    const first = childrenOf(node)[0];
    if (first?.type === 'identifier' && node.type !== 'user_defined_function') yield first.text;
  }
  for (const child of childrenOf(node)) yield* localNames(child);
}

function* boundNames(parameters: Node): Generator<string> {
  for (const child of childrenOf(parameters)) yield childrenOf(child)[0]?.text ?? child.text;
}

/** Identifiers that mean a symbol: no property names, no names that are just being declared. */
function* usedNames(node: Node): Generator<Node> {
  if (node.type === 'identifier') yield node;
  const children = childrenOf(node);
  // `{ *: Tenant }` is a property with a value and no name.
  const isNamed = (node.type === 'object_property' || node.type === 'parameter') && children.length > 1;
  const skipsFirst = isNamed || /_(declaration|function)$/.test(node.type);
  for (const [position, child] of children.entries()) {
    if (child.type === 'property_identifier') continue;
    if (position === 0 && skipsFirst && child.type === 'identifier') continue;
    yield* usedNames(child);
  }
}

/** Imports, parameters, variables, types, functions and existing resources that nothing uses. */
export function unusedNames(file: BicepFile): readonly string[] {
  const uses = new Set<string>();
  for (const node of childrenOf(file.root)) {
    if (node.type === 'import_functionality') continue;
    for (const { text } of usedNames(node)) uses.add(text);
  }
  const mustBeUsed = ({ kind, decorators, node }: Declaration): boolean =>
    kind === 'parameter' ||
    kind === 'variable' ||
    ((kind === 'type' || kind === 'function') && !decorators.includes('export')) ||
    (kind === 'resource' && /^resource \w+ '[^']*' existing /.test(node.text));
  const declaredNames = declarationsOf(file)
    .filter(mustBeUsed)
    .map(({ name, node }) => ({ name, node }));
  const imported = importsOf(file).flatMap(({ names, node }) => names.map((name) => ({ name, node })));
  return [...declaredNames, ...imported]
    .filter(({ name }) => !uses.has(name))
    .map(({ name, node }) => `${placeOf(file, node)}: ${name} is not used`);
}

/** Names that stand for nothing. */
export function unknownNames(file: BicepFile): readonly string[] {
  const known = new Set([
    ...BUILT_INS,
    ...declarationsOf(file).map(({ name }) => name),
    ...importsOf(file).flatMap(({ names }) => names),
    ...localNames(file.root),
  ]);
  const faults: string[] = [];
  for (const node of childrenOf(file.root)) {
    if (node.type === 'import_functionality') continue;
    for (const name of usedNames(node)) {
      if (!known.has(name.text)) faults.push(`${placeOf(file, name)}: ${name.text} is not known`);
    }
  }
  return faults;
}

/** Imports of what the other file does not export, and of files that are not there. */
export function importFaults(file: BicepFile, files: readonly BicepFile[]): readonly string[] {
  return importsOf(file).flatMap(({ names, from, node }) => {
    const source = files.find(({ path }) => path === resolvedPath(file, from));
    if (source === undefined) return [`${placeOf(file, node)}: ${from} is not there`];
    const exported = declarationsOf(source).filter(({ decorators }) => decorators.includes('export'));
    const missing = names.filter((name) => !exported.some((declaration) => declaration.name === name));
    return missing.map((name) => `${placeOf(file, node)}: ${from} does not export ${name}`);
  });
}

/** True when a caller may leave the parameter out: it has a default, or may be null. */
export const isOptional = ({ rest }: Declaration): boolean =>
  rest.length > 1 || rest.some((node) => node.text.endsWith('?'));

/** Modules that get a parameter too few or too many, and modules that are not there. */
export function moduleFaults(file: BicepFile, files: readonly BicepFile[]): readonly string[] {
  return declared(file, 'module').flatMap((module) => {
    const reference = stringOf(module.rest[0]);
    const target = files.find(({ path }) => path === resolvedPath(file, reference));
    if (target === undefined) return [`${placeOf(file, module.node)}: ${reference} is not there`];
    const given = propertiesOf(bodyOf(module)).get('params');
    const names = given === undefined ? [] : [...propertiesOf(given).keys()];
    const wanted = declared(target, 'parameter');
    const missing = wanted.filter((parameter) => !isOptional(parameter) && !names.includes(parameter.name));
    const unknown = names.filter((name) => !wanted.some((parameter) => parameter.name === name));
    return [
      ...missing.map(({ name }) => `${placeOf(file, module.node)}: ${module.name} gets no ${name}`),
      ...unknown.map((name) => `${placeOf(file, module.node)}: ${reference} has no parameter ${name}`),
    ];
  });
}

/** Outputs that are read of a module that has none of that name. */
export function outputFaults(file: BicepFile, files: readonly BicepFile[]): readonly string[] {
  const modules = new Map(declared(file, 'module').map((module) => [module.name, stringOf(module.rest[0])]));
  return [...file.root.text.matchAll(/\b(\w+)!?\.outputs\.(\w+)/g)].flatMap(([text, name = '', output = '']) => {
    const target = files.find(({ path }) => path === resolvedPath(file, modules.get(name) ?? ''));
    const isThere =
      target !== undefined && declared(target, 'output').some((declaration) => declaration.name === output);
    return isThere ? [] : [`${file.path}: ${text} is not there`];
  });
}
