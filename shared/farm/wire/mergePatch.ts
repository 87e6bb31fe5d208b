import { isJsonObject } from '../../kit/json/json.js';

/**
 * The target with the patch applied: objects merge, null removes, everything else replaces.
 *
 * @see RFC 7396, section 2
 */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isJsonObject(patch)) return patch;
  const merged = new Map(Object.entries(isJsonObject(target) ? target : {}));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, mergePatch(merged.get(name), value));
  }
  return Object.fromEntries(merged);
}
