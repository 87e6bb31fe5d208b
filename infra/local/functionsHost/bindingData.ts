import { place } from '../../../shared/kit/json/jsonMembers.js';
import { JsonFault, JsonScanner } from '../../../shared/kit/json/jsonScanner.js';
import { unbounded } from '../../../shared/kit/json/structureBudget.js';
import type { TypedData } from './rpc.js';

/** What the host makes the trigger metadata of a request from. */
export interface RequestFacts {
  readonly query: string;
  readonly routeParams: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** The body, only when it came with a Content-Length and may have properties; a chunked body is not looked at. */
  readonly body: Buffer | undefined;
}

/** Keys compare without case; an existing key keeps its spelling when its value is replaced, as in .NET. */
class CaselessMap {
  readonly #entries = new Map<string, { readonly key: string; readonly data: TypedData }>();

  set(key: string, data: TypedData): void {
    const folded = key.toLowerCase();
    this.#entries.set(folded, { key: this.#entries.get(folded)?.key ?? key, data });
  }

  has(key: string): boolean {
    return this.#entries.has(key.toLowerCase());
  }

  toRecord(): Record<string, TypedData> {
    return Object.fromEntries([...this.#entries.values()].map(({ key, data }) => [key, data]));
  }
}

/** A top-level property of a JSON body as .NET converts it: objects whole, scalars as text, null and arrays not. */
function propertyData(json: string): TypedData | undefined {
  if (json.startsWith('{')) return { json };
  if (json === 'null' || json.startsWith('[')) return undefined;
  if (json === 'true' || json === 'false') return { string: json === 'true' ? 'True' : 'False' };
  return { string: json.startsWith('"') ? (JSON.parse(json) as string) : JSON.stringify(JSON.parse(json)) };
}

/**
 * The host takes any text that is no JSON object, or that is nested too deeply to be read, for an ordinary body. .NET reads
 * it in a process of its own: here it is only scanned, so that the event loop is not held up by what the service does not do.
 */
function propertiesIn(body: Buffer): readonly (readonly [string, TypedData | undefined])[] {
  const found: [string, TypedData | undefined][] = [];
  try {
    const scanner = new JsonScanner(body, { ...unbounded, depth: MOST_LEVELS });
    for (let more = scanner.enterObject(); more; more = scanner.hasMoreMembers()) {
      const name = scanner.textAt(scanner.readName());
      const start = place(scanner);
      found.push([name, propertyData(body.toString('utf8', start, scanner.at))]);
    }
    scanner.end();
    return found;
  } catch (error) {
    if (error instanceof JsonFault) return [];
    throw error;
  }
}

/** As deep as .NET reads JSON. */
const MOST_LEVELS = 64;
const BEGINNING_BYTES = 64;

/** Whether a body may be a JSON object, of which alone the metadata say something; most large bodies are none. */
export const mayHaveProperties = (beginning: Buffer): boolean =>
  !/^\s*[^\s{]/.test(beginning.toString('utf8', 0, BEGINNING_BYTES));

function addBody(bindingData: CaselessMap, body: Buffer): void {
  for (const [name, data] of propertiesIn(body)) if (data !== undefined) bindingData.set(name, data);
}

/** Query values; a repeated key's are joined by a comma. `code` is the function key and is left out. */
function addQuery(bindingData: CaselessMap, query: string): void {
  const values = new Map<string, { readonly key: string; readonly values: string[] }>();
  for (const [key, value] of new URLSearchParams(query)) {
    const folded = key.toLowerCase();
    const entry = values.get(folded) ?? { key, values: [] };
    entry.values.push(value);
    values.set(folded, entry);
  }
  for (const [folded, entry] of values) {
    if (folded !== 'code') bindingData.set(entry.key, { string: entry.values.join(',') });
  }
}

/**
 * The trigger metadata of a request in streaming mode: body properties, then query, then route values, and the real
 * headers only if nobody used their name.
 *
 * So a caller can replace every header (`?Headers={…}` or a body property `Headers`), empty them (`headers`) and
 * add parameters; that is how the real host behaves, and an app must not believe otherwise here.
 *
 * @see https://github.com/Azure/azure-webjobs-sdk-extensions, HttpTriggerAttributeBindingProvider
 */
export function bindingDataOf({ query, routeParams, headers, body }: RequestFacts): Record<string, TypedData> {
  const bindingData = new CaselessMap();
  if (body !== undefined) addBody(bindingData, body);
  addQuery(bindingData, query);
  for (const [name, value] of Object.entries(routeParams)) bindingData.set(name, { string: value });
  if (!bindingData.has('Query')) {
    bindingData.set('Query', { json: JSON.stringify(Object.fromEntries(new URLSearchParams(query))) });
  }
  if (!bindingData.has('Headers')) bindingData.set('Headers', { json: JSON.stringify(headers) });
  return bindingData.toRecord();
}
