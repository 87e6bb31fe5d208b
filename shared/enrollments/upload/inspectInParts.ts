import type { BoundariesToInspect, InspectedField, InspectedPart, PlacedBoundary } from './uploadTasks.js';

/** Bytes of a submission that are inspected at a time: what comes of them is copied from process to process in one go. */
const PART_BYTES = 2 * 1024 * 1024;

/** What runs beside the event loop. */
interface BesideTasks {
  readonly placeBoundaries: (bytes: Uint8Array) => Promise<readonly PlacedBoundary[]>;
  readonly inspectBoundaries: (input: BoundariesToInspect) => Promise<InspectedPart>;
}

/** Takes some fields of a submission, those behind the ones that it took before. */
export type TakeInspected = (fields: readonly InspectedField[]) => Promise<void> | void;

/** As `inspectFields`, some megabytes at a time, with what others ask of the event loop between them. */
export async function inspectInParts(
  { placeBoundaries, inspectBoundaries }: BesideTasks,
  bytes: Uint8Array,
  take: TakeInspected,
): Promise<void> {
  let spent = 0;
  for (const part of partsOf(await placeBoundaries(bytes))) {
    const submissionBytes = bytes.byteLength;
    const done = await inspectBoundaries({ ...slice(bytes, part), submissionBytes, spent });
    ({ spent } = done);
    await take(done.fields);
  }
}

/** Boundaries that lie beside each other, in parts; one that is larger is a part by itself. */
function partsOf(boundaries: readonly PlacedBoundary[]): readonly (readonly PlacedBoundary[])[] {
  const parts: PlacedBoundary[][] = [];
  for (const boundary of boundaries) {
    const last = parts.at(-1);
    const begin = last?.[0]?.begin ?? -Infinity;
    if (last !== undefined && boundary.end - begin <= PART_BYTES) last.push(boundary);
    else parts.push([boundary]);
  }
  return parts;
}

/** The bytes of a part, and its boundaries as they lie in them. */
function slice(bytes: Uint8Array, part: readonly PlacedBoundary[]): Pick<BoundariesToInspect, 'bytes' | 'boundaries'> {
  const begin = part[0]?.begin ?? 0;
  return {
    bytes: bytes.subarray(begin, part.at(-1)?.end),
    boundaries: part.map((boundary) => ({ ...boundary, begin: boundary.begin - begin, end: boundary.end - begin })),
  };
}
