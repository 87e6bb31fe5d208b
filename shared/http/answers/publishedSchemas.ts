import type { TSchema } from 'typebox';

type Json = Readonly<Record<string, unknown>>;

/**
 * The schemas of an OpenAPI document in the form that client generators read: enums with a type, nullables as a list
 * of types, whatever has a `title` as a component of that name.
 *
 * Answers are open: a member that is added later must not break a strict client. Requests are as they are checked.
 */
export class PublishedSchemas {
  readonly #components = new Map<string, Json>();

  /** By name, in the order in which they were met. */
  get components(): Readonly<Record<string, Json>> {
    return Object.fromEntries(this.#components);
  }

  request(schema: TSchema): Json {
    return this.#published(schema as Json, (form) => form);
  }

  answer(schema: TSchema): Json {
    return this.#published(schema as Json, opened);
  }

  #published(schema: Json, finish: (form: Json) => Json): Json {
    const inner = (value: unknown): unknown => (isSchema(value) ? this.#published(value, finish) : value);
    const form = finish(readable(mapChildren(schema, inner)));
    const { title } = form;
    return typeof title === 'string' ? this.#component(title, form) : form;
  }

  #component(name: string, form: Json): Json {
    const known = this.#components.get(name);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(form)) {
      throw new Error(`Two schemas of the OpenAPI document are named ${name}.`);
    }
    this.#components.set(name, form);
    return { $ref: referenceTo(name) };
  }
}

/** How the document refers to a schema that has a title. */
export const componentName = (schema: TSchema): string => referenceTo((schema as { readonly title: string }).title);

const referenceTo = (name: string): string => `#/components/schemas/${name}`;

const isSchema = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The schema with each schema below it replaced. */
function mapChildren(schema: Json, inner: (value: unknown) => unknown): Json {
  const mapped: Record<string, unknown> = { ...schema };
  for (const key of ['items', 'additionalProperties']) if (key in mapped) mapped[key] = inner(mapped[key]);
  for (const key of ['anyOf', 'oneOf', 'allOf', 'prefixItems']) {
    if (Array.isArray(mapped[key])) mapped[key] = mapped[key].map(inner);
  }
  for (const key of ['properties', 'patternProperties']) {
    if (isSchema(mapped[key])) {
      mapped[key] = Object.fromEntries(Object.entries(mapped[key]).map(([name, value]) => [name, inner(value)]));
    }
  }
  return mapped;
}

/** Generators know neither enums without a type, nor null as one of two forms, nor objects told by a pattern of names. */
function readable(schema: Json): Json {
  if ('enum' in schema || 'const' in schema) return { type: 'string', ...schema };
  if (Array.isArray(schema['anyOf'])) return nullable(schema, schema['anyOf'] as readonly Json[]);
  const { patternProperties, ...rest } = schema;
  return patternProperties === undefined
    ? schema
    : { ...rest, additionalProperties: Object.values(patternProperties as Json)[0] };
}

function nullable({ anyOf: _, ...outer }: Json, forms: readonly Json[]): Json {
  const [form, ...others] = forms.filter(({ type }) => type !== 'null');
  if (form === undefined || others.length > 0 || forms.length === 1) return { ...outer, anyOf: forms };
  if ('$ref' in form) return { ...outer, oneOf: [form, { type: 'null' }] };
  const values = form['enum'] as readonly unknown[] | undefined;
  return {
    ...form,
    ...outer,
    ...(values === undefined ? {} : { enum: [...values, null] }),
    type: [form['type'], 'null'],
  };
}

function opened(schema: Json): Json {
  const { additionalProperties, ...rest } = schema;
  return additionalProperties === false ? rest : schema;
}
