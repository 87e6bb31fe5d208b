import { isSameId } from '../../kit/ids.js';
import { isJsonObject } from '../../kit/json/json.js';
import { DataManagerError } from './dataManager.js';

/** A JSON object from the data manager, its members not checked yet. */
export type AnswerObject = Readonly<Record<string, unknown>>;

/**
 * The answer as an object with the id of the requested resource. Ids are compared without case.
 *
 * @throws DataManagerError `unavailable` for any other answer
 */
export function resourceAnswer(answer: unknown, id: string): AnswerObject {
  if (!isJsonObject(answer)) throw unexpected('no object');
  if (!isSameId(textOf(answer, 'id'), id)) throw unexpected('another id than asked for');
  return answer;
}

/** A list with at least one item. @throws DataManagerError */
export function filledList(value: unknown): readonly unknown[] {
  if (!Array.isArray(value) || value.length === 0) throw unexpected('no list, or an empty one');
  return value;
}

/** The text under this name. @throws DataManagerError */
export function textOf(answer: AnswerObject, name: string): string {
  const value = answer[name];
  if (typeof value !== 'string') throw unexpected(`${name} is no text`);
  return value;
}

/** The text under this name, as an object to be spread; empty when it is absent or null. */
export function optionalText<N extends string>(answer: AnswerObject, name: N): Partial<Record<N, string>> {
  if ((answer[name] ?? undefined) === undefined) return {};
  return { [name]: textOf(answer, name) } as Partial<Record<N, string>>;
}

/** The number under this name; undefined when it is absent or null. */
export function optionalNumber(answer: AnswerObject, name: string): number | undefined {
  const value = answer[name] ?? undefined;
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || !Number.isFinite(value)) throw unexpected(`${name} is no number`);
  return value;
}

/** The error for an answer that breaks the specification of the data manager. */
export function unexpected(what: string): DataManagerError {
  return new DataManagerError('unavailable', `The data manager answered in an unexpected shape: ${what}.`, {
    status: 200,
  });
}
