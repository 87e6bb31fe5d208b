import { randomUUID } from 'node:crypto';
import { isJsonObject, jsonReply, type Reply } from '../http/exchange.js';
import type { Resource, ResourceStore } from './resourceStore.js';

/** The author of every write; the stand-in knows one client only. */
const AUTHOR = '7a3c9d52-6f0e-4b1d-8c35-2e94a1f0b6d7';

export interface Upsert {
  readonly store: ResourceStore;
  readonly path: string;
  /** Members that follow from the path. */
  readonly fixed: Resource;
  /** The writable part of the patch. */
  readonly patch: Resource;
  /** Refuses what the merged resource may not be. */
  readonly check: (merged: Resource) => void;
  readonly now: Date;
}

/** Creates or merges, stamps author, times and eTag, and stores. Says whether the resource is new. */
export function upsert({ store, path, fixed, patch, check, now }: Upsert): { resource: Resource; isNew: boolean } {
  const before = store.find(path);
  const merged = mergedInto(before, patch) as Resource;
  check(merged);
  const at = wireInstant(now);
  const created = { createdDateTime: before?.['createdDateTime'] ?? at, createdBy: AUTHOR };
  // A resource keeps the spelling of the ids with which it was made, whatever case it is named in later.
  const spelt = Object.fromEntries(Object.entries(fixed).map(([name, id]) => [name, before?.[name] ?? id]));
  const resource = { ...merged, ...spelt, ...created, modifiedDateTime: at, modifiedBy: AUTHOR, eTag: randomUUID() };
  store.put(path, resource);
  return { resource, isNew: before === undefined };
}

/** 201 for a new resource, 200 for a changed one, with the eTag as a header too. */
export function resourceReply(resource: Resource, status = 200): Reply {
  return jsonReply(status, resource, { etag: `"${String(resource['eTag'])}"` });
}

/** `yyyy-MM-ddTHH:mm:ssZ`. */
export function wireInstant(at: Date): string {
  return at.toISOString().replace(/\.\d{3}Z$/, 'Z');
}

/** RFC 7396, by the stand-in's own hand: a fault of the product's must show. */
function mergedInto(target: unknown, patch: unknown): unknown {
  if (!isJsonObject(patch)) return patch;
  const merged = new Map(Object.entries(isJsonObject(target) ? target : {}));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, mergedInto(merged.get(name), value));
  }
  return Object.fromEntries(merged);
}
