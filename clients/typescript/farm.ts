import { pause, retryAfterSeconds, type Connection } from './connection.js';
import type { components, operations } from './generated.js';

type Schemas = components['schemas'];
type Query<Operation extends keyof operations> = NonNullable<operations[Operation]['parameters']['query']>;
/** Filters of a list, and the size of its pages. */
type Filter<Operation extends keyof operations> = Omit<Query<Operation>, 'api-version' | 'skipToken'>;

/** The party, farm or field that an insight is about, and the model that has found it out. */
export type InsightOwner = operations['farmInsightsList']['parameters']['path'];

export interface ImportOptions extends Query<'farmImportsCreate'> {
  /** That of GeoJSON, a zip file, KML, KMZ or `application/x-ndjson`; the type of the file unless told. */
  readonly type?: keyof operations['farmImportsCreate']['requestBody']['content'];
  /** A file sent again under its key is one import; made up unless told. */
  readonly idempotencyKey?: string;
}

interface Page<Item> {
  readonly value: readonly Item[];
  readonly nextLink?: string;
}

/** What the parties, farms or fields of the service are, to the compiler. */
interface Kind {
  readonly ids: Readonly<Record<string, string>>;
  readonly filter: object;
  readonly write: object;
  readonly resource: object;
  readonly listed: object;
}

interface PartyKind extends Kind {
  readonly ids: { readonly partyId: string };
  readonly filter: Filter<'farmPartiesList'>;
  readonly write: Schemas['PartyWrite'];
  readonly resource: Schemas['Party'];
  readonly listed: Schemas['Party'];
}

interface FarmKind extends Kind {
  readonly ids: { readonly partyId: string; readonly farmId: string };
  readonly filter: Filter<'farmFarmsList'> & { readonly partyId?: string };
  readonly write: Schemas['FarmWrite'];
  readonly resource: Schemas['Farm'];
  readonly listed: Schemas['Farm'];
}

interface FieldKind extends Kind {
  readonly ids: { readonly partyId: string; readonly fieldId: string };
  readonly filter: Filter<'farmFieldsList'> & { readonly partyId?: string };
  readonly write: Schemas['FarmFieldWrite'];
  readonly resource: Schemas['FarmField'];
  readonly listed: Schemas['FarmFieldMetadata'];
}

const VERSION = { 'api-version': '2023-11-01-preview' };

const jsonOf = async <Value>(answer: Promise<Response>): Promise<Value> => (await (await answer).json()) as Value;

const queryOf = (filter: object): string =>
  new URLSearchParams(
    Object.entries(filter).flatMap(([name, given]) =>
      [given as unknown].flat().map((each): [string, string] => [name, String(each)]),
    ),
  ).toString();

/** The items of a list. Of a link only the query is taken: the token goes to no other address than that of the service. */
async function* pages<Item>(filter: object, read: (query: string) => Promise<Response>): AsyncGenerator<Item> {
  let query: string | undefined = queryOf({ ...VERSION, ...filter });
  while (query !== undefined) {
    const page: Page<Item> = await jsonOf<Page<Item>>(read(query));
    yield* page.value;
    query = page.nextLink && new URL(page.nextLink).search.slice(1);
  }
}

/** The parties, farms or fields of a tenant. */
export class Land<K extends Kind> {
  readonly #connection: Connection;
  readonly #folder: string;

  /** @param folder of the paths: `parties`, `farms` or `fields` */
  constructor(connection: Connection, folder: string) {
    this.#connection = connection;
    this.#folder = folder;
  }

  /** Creates it or changes it: members that are absent stay as they are, null takes a member away. */
  async put(ids: K['ids'], patch: K['write'], ifMatch?: string): Promise<K['resource']> {
    return jsonOf(
      this.#connection.withToken(this.#pathOf(ids), {
        method: 'PATCH',
        headers: { 'content-type': 'application/merge-patch+json', ...conditionOf(ifMatch) },
        body: () => JSON.stringify(patch),
      }),
    );
  }

  async get(ids: K['ids']): Promise<K['resource']> {
    return jsonOf(this.#connection.withToken(this.#pathOf(ids)));
  }

  /** @param ifMatch the `eTag` that it has still to have */
  async remove(ids: K['ids'], ifMatch?: string): Promise<void> {
    await this.#connection.withToken(this.#pathOf(ids), { method: 'DELETE', headers: conditionOf(ifMatch) });
  }

  /** Those of the tenant, or of the party that is named; fields come without their geometry. */
  async *list(filter: K['filter'] = {}): AsyncGenerator<K['listed']> {
    const { partyId, ...filters } = filter as { readonly partyId?: string };
    const path = partyId === undefined ? '' : `/parties/${encodeURIComponent(partyId)}`;
    yield* pages(filters, (query) => this.#connection.withToken(`${path}/${this.#folder}?${query}`));
  }

  #pathOf({ partyId = '', ...own }: Kind['ids']): string {
    const below = Object.values(own).map((id) => `/${this.#folder}/${encodeURIComponent(id)}`);
    return `/parties/${encodeURIComponent(partyId)}${below.join('')}?${queryOf(VERSION)}`;
  }
}

const conditionOf = (ifMatch: string | undefined): Record<string, string> =>
  ifMatch === undefined ? {} : { 'if-match': ifMatch };

/** The farm data that the service keeps: parties, farms, fields, and the insights about them. */
export class FarmData {
  readonly parties: Land<PartyKind>;
  readonly farms: Land<FarmKind>;
  readonly fields: Land<FieldKind>;
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.parties = new Land(connection, 'parties');
    this.farms = new Land(connection, 'farms');
    this.fields = new Land(connection, 'fields');
  }

  /** The fields that pass filters and meet a geometry, without their geometry. */
  async *search(search: Schemas['SearchFieldQuery']): AsyncGenerator<Schemas['FarmFieldMetadata']> {
    yield* pages<Schemas['FarmFieldMetadata']>({}, (query) =>
      this.#connection.withToken(`/fields:search?${query}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: () => JSON.stringify(search),
      }),
    );
  }

  /** @param file the fields, as `await openAsBlob('fields.geojson', { type: 'application/geo+json' })` */
  async import(file: Blob, options: ImportOptions = {}): Promise<Schemas['FarmImport']> {
    const { type = file.type, idempotencyKey = crypto.randomUUID(), ...query } = options;
    return jsonOf(
      this.#connection.withToken(`/v1/imports?${queryOf(query)}`, {
        method: 'POST',
        headers: { 'content-type': type, 'idempotency-key': idempotencyKey },
        body: () => file,
      }),
    );
  }

  /** The import once it has ended; `errors` says which features are not written, and why. */
  async imported(importId: string): Promise<Schemas['FarmImport']> {
    for (;;) {
      const answer = await this.#connection.withToken(`/v1/imports/${importId}`);
      const state = (await answer.json()) as Schemas['FarmImport'];
      if (state.status !== 'Waiting' && state.status !== 'Running') return state;
      await pause(retryAfterSeconds(answer));
    }
  }

  /** What one model has found out about a party, farm or field. */
  async *insights(
    owner: InsightOwner,
    filter: Filter<'farmInsightsList'> = {},
  ): AsyncGenerator<Schemas['FarmInsight']> {
    const [party, model, id] = [owner.partyId, owner.modelId, owner.resourceId].map(encodeURIComponent);
    const path = `/parties/${party}/models/${model}/resource-types/${owner.resourceType}/resources/${id}/insights`;
    yield* pages<Schemas['FarmInsight']>(filter, (query) => this.#connection.withToken(`${path}?${query}`));
  }

  /** All fields of a party, as `submit` takes them and GIS programs open them. */
  async fieldsGeoJson(partyId: string): Promise<Omit<Schemas['FarmFieldFeatures'], 'links'>> {
    const path = `/v1/parties/${encodeURIComponent(partyId)}/fields.geojson`;
    const features: Schemas['FarmFieldFeature'][] = [];
    for (let query: string | undefined = ''; query !== undefined;) {
      const page: Schemas['FarmFieldFeatures'] = await jsonOf(this.#connection.withToken(`${path}${query}`));
      features.push(...page.features);
      const [next] = page.links ?? [];
      query = next && new URL(next.href).search;
    }
    return { type: 'FeatureCollection', features };
  }
}
