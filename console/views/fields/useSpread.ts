import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { DayOnMap, FieldMap, ValueRange } from '../../map/mapScene.js';
import { spreadOf, type Spread } from '../../map/spread.js';
import { curveOf, type Selection } from './selection.js';
import type { KnownDays } from './dayState.js';

/** The values of the chosen field as the map shows them: looked at anew when its picture may have come. */
export function useSpread(
  map: FieldMap | undefined,
  { fieldId, shown }: { readonly fieldId: string | undefined; readonly shown: DayOnMap | undefined },
): { readonly value: Spread | undefined; readonly look: () => void } {
  const [value, setValue] = useState<Spread>();
  const seen = useRef<unknown>(undefined);
  const look = useCallback(() => {
    const pixels = map === undefined || fieldId === undefined ? undefined : map.pixelsOf(fieldId);
    if (pixels?.data === seen.current && pixels !== undefined) return;
    seen.current = pixels?.data;
    setValue(pixels === undefined ? undefined : spreadOf(pixels));
  }, [map, fieldId, shown]);
  useEffect(look, [look]);
  return { value, look };
}

/** From the 2nd to the 98th percentile of the chosen field on the chosen day, for colours that are stretched to it. */
export function useStretch(
  isStretched: boolean,
  { layer, date }: Selection,
  known: KnownDays | undefined,
): ValueRange | undefined {
  const day = known?.ofDate.get(date);
  const figures =
    day === undefined || (layer !== 'ndvi' && layer !== 'vegetation') ? undefined : curveOf(layer).of(day);
  const [low, high] = [figures?.p2, figures?.p98];
  return useMemo(
    // The same object while it says the same: nothing is drawn anew for it.
    () => (isStretched && low !== undefined && high !== undefined && high > low ? [low, high] : undefined),
    [isStretched, low, high],
  );
}
