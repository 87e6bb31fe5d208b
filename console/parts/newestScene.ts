import { useEffect, useState } from 'preact/hooks';
import type { Position } from '../../shared/geo/shapes/geoJson.js';
import { call } from '../api/client.js';
import { ApiError } from '../api/errors.js';
import { pageSettings } from '../api/settings.js';
import type { FieldMap, GroundPicture, MapPosition } from '../map/mapScene.js';
import { forgetAtSignOut } from '../session/forgetting.js';
import { dayText } from './dateText.js';

/** Farther away, a scene of 2.6 km would be a spot. */
const FARTHEST_M_PER_PIXEL = 20;
/** Degrees of a square that one scene is for, as the service has it. */
const SQUARE = 0.01;
/** Whoever moves the map is not there yet. */
const REST_MS = 500;
const MOST_KEPT = 10;

interface Scene extends GroundPicture {
  /** UTC day of the acquisition. */
  readonly date: string;
}

const kept = new Map<string, Promise<Scene>>();
forgetAtSignOut(() => {
  kept.clear();
});

async function readScene(middle: string): Promise<Scene> {
  const [longitude = '', latitude = ''] = middle.split(' ');
  const path = `/console/scene.tiff?longitude=${longitude}&latitude=${latitude}`;
  // It is not waited for: without it a map is a map.
  const answer = await call({ path, as: 'key', accept: 'image/tiff', isRead: false });
  const date = new Date(answer.headers.get('last-modified') ?? '').toISOString().slice(0, 10);
  return { path: `scene/${middle}/${date}`, bytes: await answer.arrayBuffer(), date };
}

function sceneAt(middle: string): Promise<Scene> {
  const known = kept.get(middle);
  if (known !== undefined) return known;
  const reading = readScene(middle);
  kept.set(middle, reading);
  reading.catch(() => kept.delete(middle));
  const [oldest] = kept.keys();
  if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
  return reading;
}

const middleOf = (place: Position): string =>
  place.map((degrees) => (Math.round(degrees / SQUARE) * SQUARE).toFixed(2)).join(' ');

/** What is known of the ground that the map shows. */
interface Ground {
  readonly scene?: Scene;
  /** A sentence for people. */
  readonly text?: string;
}

const textOf = (error: unknown): string =>
  error instanceof ApiError ? error.message : 'The newest scene could not be loaded.';

/**
 * The newest scene where the map is, near enough and as long as it is wanted; none where the map has tiles.
 *
 * @returns besides the ground what the map is to tell of its moves
 */
export function useNewestScene(
  map: FieldMap | undefined,
  isWanted: boolean,
): Ground & { readonly onMoved: (position: MapPosition | undefined) => void } {
  const [hasTiles, setTiles] = useState(true);
  const [position, setPosition] = useState<MapPosition>();
  const [ground, setGround] = useState<Ground>({});
  useEffect(() => {
    if (map === undefined) return;
    // The map has them already.
    void pageSettings().then(({ tiles }) => {
      setTiles(tiles !== null);
    });
  }, [map]);
  const isNear = position !== undefined && position.metresPerPixel <= FARTHEST_M_PER_PIXEL;
  const middle = isWanted && !hasTiles && isNear ? middleOf(position.centre) : undefined;
  useEffect(() => {
    if (middle === undefined) return undefined;
    const shown = { isGone: false };
    const tell = (told: Ground): void => {
      if (!shown.isGone) setGround(told);
    };
    const timer = setTimeout(() => {
      setGround((last) => ({ ...last, text: 'Looking for the newest scene …' }));
      sceneAt(middle).then(
        (scene) => {
          tell({ scene, text: `The scene of ${dayText(scene.date)}. Contains modified Copernicus Sentinel data.` });
        },
        (error: unknown) => {
          tell({ text: textOf(error) });
        },
      );
    }, REST_MS);
    return () => {
      shown.isGone = true;
      clearTimeout(timer);
    };
  }, [middle]);
  return { ...(isWanted ? ground : {}), onMoved: setPosition };
}
