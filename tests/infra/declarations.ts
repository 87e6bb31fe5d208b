import { childrenOf, stringOf, type BicepFile, type Node } from './bicepTree.js';

export type Kind = 'parameter' | 'output' | 'variable' | 'type' | 'function' | 'resource' | 'module';

/** One thing that a Bicep file declares. */
export interface Declaration {
  readonly kind: Kind;
  readonly name: string;
  readonly node: Node;
  /** Names of its decorators, `description` for instance. */
  readonly decorators: readonly string[];
  /** What stands after the name: types, values, bodies. */
  readonly rest: readonly Node[];
}

const kinds: Readonly<Record<string, Kind>> = {
  parameter_declaration: 'parameter',
  output_declaration: 'output',
  variable_declaration: 'variable',
  type_declaration: 'type',
  user_defined_function: 'function',
  resource_declaration: 'resource',
  module_declaration: 'module',
};

const decoratorNames = (node: Node): readonly string[] =>
  childrenOf(node).map((decorator) => /^@(?:sys\.)?(\w+)/.exec(decorator.text)?.[1] ?? '');

function declarationOf(node: Node, decorators: readonly string[]): Declaration | undefined {
  const kind = kinds[node.type];
  const [name, ...rest] = childrenOf(node);
  return kind === undefined || name === undefined ? undefined : { kind, name: name.text, node, decorators, rest };
}

/** The declarations of a file in their order, without those nested in resources. */
export function declarationsOf(file: BicepFile): readonly Declaration[] {
  const found: Declaration[] = [];
  let decorators: readonly string[] = [];
  for (const node of childrenOf(file.root)) {
    if (node.type === 'decorators') {
      decorators = decoratorNames(node);
      continue;
    }
    const declaration = declarationOf(node, decorators);
    if (declaration !== undefined) found.push(declaration);
    decorators = [];
  }
  return found;
}

/** The declarations of one kind. */
export const declared = (file: BicepFile, kind: Kind): readonly Declaration[] =>
  declarationsOf(file).filter((declaration) => declaration.kind === kind);

/** The declaration of this kind and name. */
export function theOne(file: BicepFile, kind: Kind, name: string): Declaration {
  const found = declared(file, kind).find((declaration) => declaration.name === name);
  if (found === undefined) throw new Error(`${file.path} declares no ${kind} ${name}.`);
  return found;
}

/** What `import { … } from '…'` takes from which file. */
export interface Import {
  readonly node: Node;
  readonly names: readonly string[];
  readonly from: string;
}

export const importsOf = (file: BicepFile): readonly Import[] =>
  childrenOf(file.root)
    .filter(({ type }) => type === 'import_functionality')
    .map((node) => {
      const parts = childrenOf(node);
      const names = parts.filter(({ type }) => type === 'identifier').map(({ text }) => text);
      return { node, names, from: stringOf(parts.at(-1)) };
    });

/** The object that is the body of a resource or module, inside of its loop or condition if it has one. */
export function bodyOf({ rest }: Declaration): Node {
  let body = rest.find(({ type }) => ['object', 'for_statement', 'if_statement'].includes(type));
  while (body !== undefined && body.type !== 'object') {
    body = childrenOf(body).findLast(({ type }) => ['object', 'for_statement', 'if_statement'].includes(type));
  }
  if (body === undefined) throw new Error('A resource or module without a body.');
  return body;
}

/** Properties of an object by name, quotes removed. */
export const propertiesOf = (object: Node): ReadonlyMap<string, Node> =>
  new Map(
    childrenOf(object)
      .filter(({ type }) => type === 'object_property')
      .map((property) => {
        const [key, value] = childrenOf(property);
        if (key === undefined || value === undefined) throw new Error(`Not a property: ${property.text}`);
        return [key.type === 'string' ? stringOf(key) : key.text, value];
      }),
  );

/** The value at a path of property names. */
export function valueAt(object: Node, ...path: readonly string[]): Node | undefined {
  let value: Node | undefined = object;
  for (const name of path) value = value?.type === 'object' ? propertiesOf(value).get(name) : undefined;
  return value;
}
