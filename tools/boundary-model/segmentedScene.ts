import { hashOf, Random } from '../scenes/random.js';
import { clearMask } from '../../shared/boundary/window/chooseDates.js';
import type { ClearScene } from '../../shared/boundary/window/chooseDates.js';
import type { Network } from '../../shared/boundary/network/network.js';
import { normalised } from '../../shared/boundary/window/normalise.js';
import { segmentedWindow } from '../../shared/boundary/predict/rankedCandidates.js';
import type { SegmentedWindow } from '../../shared/boundary/predict/rankedCandidates.js';
import { pointsOf } from './rankerPoints.js';
import type { PointCounts, TruePoint } from './rankerPoints.js';
import type { SceneFamily } from './sceneFamilies.js';
import { trainingEpsg, trainingScene } from './trainingSample.js';

const SIDE = 256;
const THREE_DATES_SHARE = 0.4;
/** Of the others. */
const TWO_DATES_SHARE = 0.3;
const NO_NIR_SHARE = 0.45;
const CLOUDED_SHARE = 0.15;

/** A synthetic scene as the service sees it, with what a prediction at some of its points goes on from. */
export interface SegmentedScene extends SegmentedWindow {
  readonly seed: number;
  /** In sight on every date. */
  readonly points: readonly TruePoint[];
}

/** How scenes are drawn and looked at. */
export interface SceneSight {
  readonly networks: readonly Network[];
  /** How uneven fields are within, as a factor. */
  readonly roughness: number;
  /** Share of the scenes with a palette, 0–1. */
  readonly palettes: number;
  readonly points: PointCounts;
  /** Views of each date that the network's answer is averaged over; by default one or two, at random. */
  readonly views?: number;
  /** Of every scene; by default one to three, at random. */
  readonly dates?: number;
  readonly family?: SceneFamily;
}

/** The scene of a seed, segmented as the service would do it: 1, 2 or 3 dates, with or without near infrared, some with clouds. */
export function segmentedScene(seed: number, sight: SceneSight): SegmentedScene {
  const random = new Random(hashOf(seed, 7002));
  const cloudFraction = random.isTrue(CLOUDED_SHARE) ? 0.3 : 0;
  const drawnDates = dateCountOf(random);
  const { roughness, palettes: paletteShare, dates: dateCount = drawnDates, family = {} } = sight;
  const options = { side: SIDE, dates: dateCount, cloudFraction, paletteShare, roughness, family };
  const { renderer, window, dates } = trainingScene(seed, options);
  const hasNir = !random.isTrue(NO_NIR_SHARE);
  const grid = { epsg: trainingEpsg, pixelWidth: 10, pixelHeight: 10, ...window };
  const scenes: ClearScene[] = dates.map(({ date, scene: { bands, scl } }) => {
    const { B08, ...visible } = bands;
    const scene = { date, sceneIds: [date], bands: hasNir ? { ...visible, B08 } : visible, scl };
    return { scene, clear: clearMask(scene, grid), clearFraction: 1 };
  });
  const views = sight.views ?? (random.isTrue(0.5) ? 2 : 1);
  const seen = segmentedWindow({ grid, dates: scenes.map(normalised) }, sight, { method: 'network', views });
  const isClear = ({ pixel }: TruePoint): boolean =>
    scenes.every(({ clear }) => clear.data[pixel.row * SIDE + pixel.column] === 1);
  const points = pointsOf(renderer.coverOf(window), window, random, sight.points).filter(isClear);
  return { ...seen, seed, points };
}

function dateCountOf(random: Random): number {
  if (random.isTrue(THREE_DATES_SHARE)) return 3;
  return random.isTrue(TWO_DATES_SHARE) ? 2 : 1;
}
