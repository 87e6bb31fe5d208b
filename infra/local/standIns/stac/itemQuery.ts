import { isJsonObject } from '../http/exchange.js';
import type { ItemDocument } from './sceneItems.js';

type Value = string | number;
const isValue = (value: unknown): value is Value => typeof value === 'string' || typeof value === 'number';

/** Instants are written with more or fewer decimals; everything else is compared as it stands. */
const comparable = (value: Value): Value => {
  const isInstant = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T/.test(value);
  return isInstant ? Date.parse(value) : value;
};

/** The operators of the query extension as stac-server has them. */
const operators: Readonly<Record<string, (value: Value, operand: unknown) => boolean>> = {
  eq: (value, operand) => compared(value, operand) === 0,
  neq: (value, operand) => compared(value, operand) !== 0,
  lt: (value, operand) => compared(value, operand) < 0,
  lte: (value, operand) => compared(value, operand) <= 0,
  gt: (value, operand) => compared(value, operand) > 0,
  gte: (value, operand) => compared(value, operand) >= 0,
  startsWith: (value, operand) => String(value).startsWith(String(operand)),
  endsWith: (value, operand) => String(value).endsWith(String(operand)),
  contains: (value, operand) => String(value).includes(String(operand)),
  in: (value, operand) => Array.isArray(operand) && operand.includes(value),
};

/** Below 0 when the value comes first; not a number when the two can't be compared, which no operator holds for. */
function compared(value: Value, operand: unknown): number {
  if (!isValue(operand)) return NaN;
  const [left, right] = [comparable(value), comparable(operand)];
  if (typeof left !== typeof right) return NaN;
  return left === right ? 0 : left < right ? -1 : 1;
}

/** The first operator of a query that there is none of; undefined when all are known. */
export function unknownOperator(query: unknown): string | undefined {
  if (query === undefined) return undefined;
  if (!isJsonObject(query) || !Object.values(query).every(isJsonObject)) return 'query';
  const names = Object.values(query).flatMap((conditions) => Object.keys(conditions as object));
  return names.find((name) => !Object.hasOwn(operators, name));
}

/** Whether an item's properties meet every condition; one that lacks the property meets none. */
export function meetsQuery({ properties }: ItemDocument, query: unknown): boolean {
  if (!isJsonObject(query)) return true;
  return Object.entries(query).every(([name, conditions]) => {
    const value = properties[name];
    return (
      isValue(value) &&
      Object.entries(conditions as object).every(
        ([operator, operand]) => operators[operator]?.(value, operand) === true,
      )
    );
  });
}

/** The operand of one operator of one property, where a query has it. */
export function operandOf(query: unknown, name: string, operator: string): unknown {
  const conditions = isJsonObject(query) ? query[name] : undefined;
  return isJsonObject(conditions) ? conditions[operator] : undefined;
}

type Members = Record<string, unknown>;
const listOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

/** What stac-server always answers with. */
const ALWAYS = ['id', 'collection', 'type', 'stac_version'];

/** Copies the member at a path such as `properties.datetime`; a property's own name may hold no dot. */
function copyMember(from: Members, to: Members, [name = '', ...rest]: readonly string[]): void {
  if (!Object.hasOwn(from, name)) return;
  const value = from[name];
  if (rest.length === 0) to[name] = value;
  else if (isJsonObject(value)) copyMember(value, (to[name] = { ...(to[name] ?? {}) }), rest);
}

function withoutMember(from: Members, [name = '', ...rest]: readonly string[]): Members {
  if (!Object.hasOwn(from, name)) return from;
  const { [name]: value, ...others } = from;
  if (rest.length === 0) return others;
  return isJsonObject(value) ? { ...others, [name]: withoutMember(value, rest) } : from;
}

/** An item with the fields that are asked for: those included, or all, without those excluded. */
export function withFields(item: unknown, fields: unknown): unknown {
  if (!isJsonObject(fields) || !isJsonObject(item)) return item;
  const included = listOf(fields['include']);
  let answer: Members = { ...item };
  if (included.length > 0) {
    const kept: Members = {};
    for (const path of [...ALWAYS, ...included]) copyMember(answer, kept, path.split('.'));
    answer = kept;
  }
  return listOf(fields['exclude']).reduce((rest, path) => withoutMember(rest, path.split('.')), answer);
}
