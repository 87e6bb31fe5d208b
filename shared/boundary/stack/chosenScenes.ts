import { dayOfScene } from '../../scenes/item/scene.js';
import type { RegionScene } from '../../scenes/library/sceneLibrary.js';

/** A scene that is not used. */
export interface PassedScene {
  readonly sceneIds: readonly string[];
  readonly date: string;
  /** `lost`: something is wrong with it; `elsewhere`: it shows other ground; `spare`: others were better. */
  readonly kind: 'lost' | 'elsewhere' | 'spare';
  /** Why the scene is not used: the end of a sentence. */
  readonly reason: string;
}

/**
 * The scenes of the least clouded passes of the satellites.
 *
 * @param mostPasses scenes of one pass count as one, since they show different ground
 */
export function chosenScenes(
  scenes: readonly RegionScene[],
  mostPasses: number,
): { readonly chosen: readonly RegionScene[]; readonly passed: readonly PassedScene[] } {
  const clearest = passesOf(scenes).sort((a, b) => cover(a) - cover(b) || newest(b).localeCompare(newest(a)));
  const spare = clearest.slice(mostPasses).flat();
  return {
    chosen: clearest.slice(0, mostPasses).flat(),
    passed: spare.map(({ scene }) =>
      passedScene({ id: scene.id, date: dayOfScene(scene) }, 'spare', `${mostPasses} less clouded days were used`),
    ),
  };
}

type Pass = readonly RegionScene[];

function passesOf(scenes: readonly RegionScene[]): Pass[] {
  const passes = new Map<string, Pass>();
  for (const scene of scenes) passes.set(scene.pass, [...(passes.get(scene.pass) ?? []), scene]);
  return [...passes.values()];
}

const cover = (pass: Pass): number => Math.min(...pass.map(({ cloudPercent = 50 }) => cloudPercent));
const newest = ([first]: Pass): string => (first === undefined ? '' : dayOfScene(first.scene));

/** A scene that is not used. @param reason the end of a sentence */
export const passedScene = (
  { id, date }: { readonly id: string; readonly date: string },
  kind: PassedScene['kind'],
  reason: string,
): PassedScene => ({ sceneIds: [id], date, kind, reason });
