import type { DataManagerScene, DataManagerSceneFile, SceneImage } from '../../jobs/dataManager/scenes.js';

/** Bands and scene classification that are ordered; a scene without the last two is used all the same. */
export const wantedImages: readonly SceneImage[] = ['B02', 'B03', 'B04', 'B08', 'SCL'];
const neededImages: readonly SceneImage[] = ['B02', 'B03', 'B04'];

/** A scene that is downloaded, with the file of each image. */
export interface ChosenScene {
  readonly scene: DataManagerScene;
  readonly files: Readonly<Partial<Record<SceneImage, DataManagerSceneFile>>>;
}

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
  scenes: readonly DataManagerScene[],
  mostPasses: number,
): { readonly chosen: readonly ChosenScene[]; readonly passed: readonly PassedScene[] } {
  const whole = scenes.map((scene) => ({ scene, files: filesOf(scene) }));
  const usable = whole.filter(({ files }) => neededImages.every((image) => files[image] !== undefined));
  const clearest = passesOf(usable).sort((a, b) => cover(a) - cover(b) || newest(b).localeCompare(newest(a)));
  const chosen = clearest.slice(0, mostPasses).flat();
  const incomplete = whole.filter((entry) => !usable.includes(entry));
  const spare = clearest.slice(mostPasses).flat();
  return {
    chosen,
    passed: [
      ...incomplete.map(({ scene }) => passedScene(scene, 'lost', 'it lacks an image of visible light')),
      ...spare.map(({ scene }) => passedScene(scene, 'spare', `${mostPasses} less clouded days were used`)),
    ],
  };
}

function passesOf(scenes: readonly ChosenScene[]): ChosenScene[][] {
  const passes = new Map<string, ChosenScene[]>();
  for (const entry of scenes) {
    const key = passKey(entry.scene);
    passes.set(key, [...(passes.get(key) ?? []), entry]);
  }
  return [...passes.values()];
}

/**
 * Names the pass of a satellite that a scene belongs to: mission and start of the datatake where the product name has
 * them, else the day.
 *
 * @see Sentinel-2 Products Specification, naming convention: MMM_MSIXXX_YYYYMMDDTHHMMSS_…
 */
export function passKey({ itemId = '', date }: Pick<DataManagerScene, 'itemId' | 'date'>): string {
  return /^S2[A-D]_MSIL(?:1C|2A)_\d{8}T\d{6}(?=_)/.exec(itemId)?.[0] ?? date;
}

function filesOf({ files }: DataManagerScene): ChosenScene['files'] {
  const byImage = wantedImages.flatMap((image) => {
    const [finest] = files
      .filter(({ name }) => name.toUpperCase() === image)
      .sort((a, b) => a.resolution - b.resolution);
    return finest === undefined ? [] : [[image, finest] as const];
  });
  return Object.fromEntries(byImage);
}

type Pass = readonly ChosenScene[];
const cover = (pass: Pass): number => Math.min(...pass.map(({ scene }) => scene.cloudCoverPercent ?? 50));
const newest = (pass: Pass): string => pass[0]?.scene.date ?? '';

/** A scene that is not used. @param reason the end of a sentence */
export const passedScene = (
  { id, date }: Pick<DataManagerScene, 'id' | 'date'>,
  kind: PassedScene['kind'],
  reason: string,
): PassedScene => ({ sceneIds: [id], date, kind, reason });
