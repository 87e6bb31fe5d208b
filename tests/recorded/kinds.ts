/** Path of a member, such as `/features/#/properties/platform`, and the kinds of value that were seen there. */
type Kinds = ReadonlyMap<string, ReadonlySet<string>>;

type Members = Readonly<Record<string, unknown>>;

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'empty list' : 'list';
  return value === null ? 'null' : typeof value;
}

/** Every object and list under a value with its path; positions and days are written alike. */
function* nodesOf(value: unknown, path = ''): Generator<[string, Members]> {
  if (typeof value !== 'object' || value === null) return;
  yield [path, value as Members];
  for (const [name, member] of Object.entries(value)) yield* nodesOf(member, `${path}/${plain(name)}`);
}

const plain = (name: string): string => name.replace(/^\d+$/, '#');

type Nodes = readonly (readonly [string, Members])[];

function namesOf(nodes: Nodes): ReadonlyMap<string, ReadonlySet<string>> {
  const names = new Map<string, Set<string>>();
  for (const [path, members] of nodes) {
    const known = names.get(path) ?? new Set();
    for (const name of Object.keys(members)) known.add(plain(name));
    names.set(path, known);
  }
  return names;
}

/** The kinds of value of every member, `absent` where an object of that path lacks a member that another one has. */
function kindsOf(documents: readonly unknown[]): Kinds {
  const nodes: Nodes = documents.flatMap((document) => [...nodesOf(document)]);
  const names = namesOf(nodes);
  const kinds = new Map<string, Set<string>>();
  for (const [path, members] of nodes) {
    for (const name of names.get(path) ?? []) {
      const seen = kinds.get(`${path}/${name}`) ?? new Set();
      for (const kind of kindsAt(members, name)) seen.add(kind);
      kinds.set(`${path}/${name}`, seen);
    }
  }
  return kinds;
}

function kindsAt(members: Members, name: string): readonly string[] {
  if (name === '#') return Object.values(members).map(kindOf);
  return [name in members ? kindOf(members[name]) : 'absent'];
}

/**
 * What the genuine answers have and the made ones lack: `path: kind`, of the members that the made ones know at all. A
 * member that no adapter reads need not be made.
 */
export function unmadeKinds(genuine: readonly unknown[], made: readonly unknown[]): readonly string[] {
  const known = kindsOf(made);
  return [...kindsOf([...genuine, ...made])].flatMap(([path, kinds]) => {
    const madeKinds = known.get(path);
    if (madeKinds === undefined) return [];
    return [...kinds].filter((kind) => !madeKinds.has(kind)).map((kind) => `${path}: ${kind}`);
  });
}
