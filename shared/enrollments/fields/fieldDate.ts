import { createHash } from 'node:crypto';
import type { LayerName } from '../../scenes/layers/layers.js';
import type { SkipReason } from '../../scenes/layers/visibility.js';
import { bestVersions, granuleOf, productVersionOf, preferredVersionOf, type Scene } from '../../scenes/item/scene.js';

/** What became of one field on one day: `done` when at least one layer was made, `expired` when its files were deleted after
 * their retention. */
export const outcomes = ['done', 'cloud', 'coverage', 'no_data', 'failed', 'expired'] as const;
export type FieldDateOutcome = (typeof outcomes)[number];

/** The record of a field on a day on which at least one scene shows it. */
export interface FieldDate {
  readonly fieldId: string;
  /** UTC day of the acquisition. */
  readonly date: string;
  readonly outcome: FieldDateOutcome;
  /** For people; null when every layer that was asked for was made. */
  readonly reason: string | null;
  /** Share of the field that is clear, or that has data, 0–100; null when no scene was opened. */
  readonly clearPercent: number | null;
  readonly coveragePercent: number | null;
  readonly layers: readonly LayerName[];
  /** Layers that were asked for and not made. */
  readonly skipped: Readonly<Partial<Record<LayerName, SkipReason | 'no_data' | 'failed'>>>;
  /** Ids of the scenes of the day. */
  readonly scenes: readonly string[];
  /** What the outcome rests on, see `basisOf`. */
  readonly basis: string;
  /** How good that basis is, see `standingOf`. */
  readonly standing: string;
  /** Whether the next search of this day tries again although its basis is the same. */
  readonly isToBeTriedAgain?: true;
  /** UTC day of the first failure that may pass. */
  readonly failedSince?: string;
  /** UTC day on which the first of the files was made; absent again once the files of an expired day are deleted. */
  readonly madeOn?: string;
}

/**
 * A fingerprint of everything that decides what a field looks like on a day: its geometry and the granules with their
 * versions, whichever collection shows them. A late or reprocessed scene changes it.
 *
 * @param overpasses scenes in order of preference, as `sceneDays` gives them
 * @returns 16 hex digits
 */
export function basisOf(geometryHash: string, overpasses: readonly (readonly Scene[])[]): string {
  const versions = overpasses.map((scenes) =>
    bestVersions(scenes).map((scene) => [granuleOf(scene), productVersionOf(scene)]),
  );
  return createHash('sha256')
    .update(JSON.stringify([geometryHash, versions]))
    .digest('hex')
    .slice(0, 16);
}

/** More scenes than a day of one place ever has; a standing has to fit into the metadata of a blob. */
const MOST_VERSIONS = 50;

/**
 * How good a basis is, as text: the geometry, then the versions of its scenes, the best first. A basis with one scene
 * more, or with a better version of a scene, sorts behind one without.
 */
export function standingOf(geometryHash: string, overpasses: readonly (readonly Scene[])[]): string {
  const versions = overpasses.flatMap(bestVersions).map(preferredVersionOf).sort().reverse();
  return [geometryHash.slice(0, 16), ...versions.slice(0, MOST_VERSIONS)].join(',');
}

/** Whether one standing is above another of the same geometry; standings of different geometries are never above each other. */
export function standsAbove(one: string, other: string): boolean {
  const geometryOf = (standing: string): string | undefined => standing.split(',', 1)[0];
  return geometryOf(one) === geometryOf(other) && one > other;
}

/** What an outcome rests on, see `basisOf` and `standingOf`. */
export interface Grounds {
  readonly basis: string;
  readonly standing: string;
}

/** The grounds of an outcome of these overpasses. */
export const groundsOf = (geometryHash: string, overpasses: readonly (readonly Scene[])[]): Grounds => ({
  basis: basisOf(geometryHash, overpasses),
  standing: standingOf(geometryHash, overpasses),
});

/**
 * The layers of `wanted` that are still to be made or decided on: none that rest on a better basis, and none of an expired
 * day.
 */
export function missingLayers(
  recorded: FieldDate | undefined,
  { basis, standing }: Grounds,
  wanted: readonly LayerName[],
): readonly LayerName[] {
  if (recorded?.outcome === 'expired') return [];
  if (recorded === undefined || recorded.isToBeTriedAgain === true) return wanted;
  if (recorded.basis !== basis && !standsAbove(recorded.standing, standing)) return wanted;
  return wanted.filter((layer) => !recorded.layers.includes(layer) && recorded.skipped[layer] === undefined);
}

/** A share from 0 to 1 as percent with two decimals, as files and documents show it. */
export const percentOf = (fraction: number): number => Math.round(fraction * 10_000) / 100;
