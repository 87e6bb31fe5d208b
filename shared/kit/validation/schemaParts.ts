import { Type, type TSchema } from 'typebox';

/** An object with these members and no others; `title` names its schema in the OpenAPI document. */
export const closedObject = <P extends Record<string, TSchema>>(title: string, properties: P) =>
  Type.Object(properties, { title, additionalProperties: false });

/** A calendar day, YYYY-MM-DD. */
export const dateSchema = (description: string) => Type.String({ format: 'date', description });

/** An instant as RFC 3339 writes it. */
export const dateTimeSchema = (description: string) => Type.String({ format: 'date-time', description });

/** A UUID of 36 characters. */
export const uuidSchema = (description: string) => Type.String({ format: 'uuid', description });

/** A value of the schema, or null. */
export const nullable = <S extends TSchema>(schema: S, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description });

/** Query parameters of every list. @param cursor the text on `cursor` @param most the largest page */
export const pageParameters = (cursor: string, most: number) => ({
  cursor: Type.Optional(Type.String({ maxLength: 512, description: cursor })),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, description: `Page size, 50 when absent; above ${most} is ${most}` }),
  ),
});

/** One page of a list. @param order in which the items come, for people */
export const listPageSchema = <S extends TSchema>(title: string, item: S, order: string) =>
  closedObject(title, {
    items: Type.Array(item, { description: order }),
    cursor: nullable(Type.String(), 'Null on the last page'),
  });
