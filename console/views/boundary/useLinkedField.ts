import { useEffect } from 'preact/hooks';
import { interiorPointOf } from '../../../shared/geo/shapes/interiorPoint.js';
import type { Position } from '../../../shared/geo/shapes/geoJson.js';
import { readFarmField, type FarmFieldRecord } from '../../api/farm.js';
import type { FieldMap } from '../../map/mapScene.js';
import type { PickedLand } from '../../parts/landPicker.js';
import { useLoaded } from '../../parts/useLoaded.js';

const insideOf = ({ geometry }: FarmFieldRecord): Position | undefined => {
  if (geometry === undefined) return undefined;
  return geometry.type === 'Point' ? geometry.coordinates : interiorPointOf(geometry)?.position;
};

/** Makes the inside of the field that the address names the place to look at. @returns why that is not there */
export function useLinkedField(
  map: FieldMap | undefined,
  { partyId, fieldId }: PickedLand,
  onPlace: (place: Position) => void,
): unknown {
  const key = fieldId === '' ? undefined : JSON.stringify([partyId, fieldId]);
  const { value, error } = useLoaded(key, (signal) => readFarmField(partyId, fieldId, signal));
  useEffect(() => {
    const inside = value === undefined ? undefined : insideOf(value);
    if (map === undefined || inside === undefined) return;
    map.goTo(inside);
    onPlace(inside);
  }, [map, value]);
  return error;
}
