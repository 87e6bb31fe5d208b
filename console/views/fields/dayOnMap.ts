import { picturePath, type ListedField } from '../../api/fields.js';
import type { LayerName } from '../../../shared/scenes/layers/layers.js';
import { differencePath } from '../../map/picture.js';
import type { DayOnMap, FieldDay, ValueRange } from '../../map/mapScene.js';
import { dayStateOf, type KnownDays } from './dayState.js';

interface WantedDay {
  readonly date: string;
  readonly layer: LayerName;
  readonly folderName: string;
  readonly range?: ValueRange | undefined;
}

/** One layer of one day for the map, as far as it is known. */
export function dayOnMap(
  fields: readonly ListedField[],
  days: ReadonlyMap<string, KnownDays>,
  { date, layer, folderName, range }: WantedDay,
): DayOnMap {
  const onMap = fields.map((field): [string, FieldDay] => {
    const { state, day } = dayStateOf(field, days.get(field.field_id), date);
    const hasLayer = state === 'picture' && (day === undefined || day.layers.includes(layer));
    const pictures = hasLayer ? { [layer]: picturePath(folderName, field.field_id, date, layer) } : {};
    return [field.field_id, { state: state === 'picture' && !hasLayer ? 'none' : state, pictures }];
  });
  return { layer, range, fields: new Map(onMap) };
}

/** The difference of two days: fields that have NDVI on both. */
export function differenceOnMap(later: DayOnMap, earlier: DayOnMap): DayOnMap {
  const onMap = [...later.fields].map(([id, day]): [string, FieldDay] => {
    const before = earlier.fields.get(id);
    const [after, from] = [day.pictures.ndvi, before?.pictures.ndvi];
    if (after !== undefined && from !== undefined)
      return [id, { state: 'picture', pictures: { difference: differencePath(after, from) } }];
    return [id, { state: day.state === 'picture' ? (before?.state ?? 'none') : day.state, pictures: {} }];
  });
  return { layer: 'difference', fields: new Map(onMap) };
}
