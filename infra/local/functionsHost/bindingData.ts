import type { TypedData } from './rpc.js';

/** What the host makes the trigger metadata of a request from. */
export interface RequestFacts {
  readonly query: string;
  readonly routeParams: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** The body, only when it came with a Content-Length; a chunked body is not looked at. */
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
function propertyData(value: unknown): TypedData | undefined {
  if (value === null || Array.isArray(value)) return undefined;
  if (typeof value === 'string') return { string: value };
  if (typeof value === 'boolean') return { string: value ? 'True' : 'False' };
  return typeof value === 'object' ? { json: JSON.stringify(value) } : { string: JSON.stringify(value) };
}

/** The host takes any text that is no JSON object, or that is nested too deeply to be read, for an ordinary body. */
function propertiesIn(text: string): readonly (readonly [string, TypedData | undefined])[] {
  try {
    const parsed = JSON.parse(text) as Record<string, unknown>;
    return Object.entries(parsed).map(([name, value]) => [name, propertyData(value)]);
  } catch {
    return [];
  }
}

const BEGINNING_BYTES = 64;

function addBody(bindingData: CaselessMap, body: Buffer): void {
  // Most large bodies are no JSON object, which their beginning tells.
  if (/^\s*[^\s{]/.test(body.toString('utf8', 0, BEGINNING_BYTES))) return;
  const text = body.toString('utf8').trim();
  if (!text.startsWith('{') || !text.endsWith('}')) return;
  for (const [name, data] of propertiesIn(text)) if (data !== undefined) bindingData.set(name, data);
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
