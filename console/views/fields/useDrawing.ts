import { useCallback, useEffect, useRef } from 'preact/hooks';
import type { DayOnMap, FieldMap } from '../../map/mapScene.js';

/** How far the map is with a day. */
interface Drawing {
  /** Whether the newest day is drawn. */
  readonly isDrawn: () => boolean;
  /** Told how many pictures are on their way. */
  readonly noteWaiting: (waiting: number) => void;
}

/** What goes with a day. */
interface Around {
  /** Called when a day is shown; what it gives is asked for the days that may be next, once that one is there. */
  readonly nextDays: () => () => readonly DayOnMap[];
  readonly onDrawn: () => void;
}

/** Has the map show a day, and the one left of it. */
export function useDrawing(
  map: FieldMap | undefined,
  { shown, left }: { readonly shown: DayOnMap | undefined; readonly left: DayOnMap | undefined },
  { nextDays, onDrawn }: Around,
): Drawing {
  const isShown = useRef(false);
  const waiting = useRef(0);
  useEffect(() => {
    isShown.current = false;
    if (map === undefined || shown === undefined) return undefined;
    let isNewest = true;
    void map.show(shown, left, nextDays()).then(() => {
      // A day in whose place another one is shown settles too.
      if (!isNewest) return;
      isShown.current = true;
      onDrawn();
    });
    return () => {
      isNewest = false;
    };
  }, [map, shown, left]);
  const isDrawn = useCallback(() => isShown.current && waiting.current === 0, []);
  const noteWaiting = useCallback((count: number) => {
    waiting.current = count;
  }, []);
  return { isDrawn, noteWaiting };
}
