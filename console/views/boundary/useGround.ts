import { useEffect } from 'preact/hooks';
import type { LayerName } from '../../../shared/scenes/layers/layers.js';
import { picturePath, type ListedField } from '../../api/fields.js';
import { customerFolder } from '../../api/storage.js';
import type { DayOnMap, FieldDay, FieldMap } from '../../map/mapScene.js';
import { LAYERS } from '../fields/selection.js';
import type { SearchState } from './boundaryStore.js';

/** The newest picture of a field, in true colour where there is such a one. */
interface OwnPicture {
  readonly fieldId: string;
  readonly date: string;
  readonly layer: LayerName;
}

/** Undefined where the field has no picture yet. */
export function ownPictureOf(field: ListedField | undefined): OwnPicture | undefined {
  const date = field?.newest_picture ?? undefined;
  const made = new Set(field?.enrollments.flatMap(({ layers }) => layers));
  const layer = LAYERS.find((each) => made.has(each.layer))?.layer;
  return field === undefined || date === undefined || layer === undefined
    ? undefined
    : { fieldId: field.field_id, date, layer };
}

/** Hatched where storage doesn't say where the customer's files are. */
async function dayOf({ fieldId, date, layer }: OwnPicture): Promise<DayOnMap> {
  const folder = await customerFolder().catch(() => undefined);
  const day: FieldDay =
    folder === undefined
      ? { state: 'failed', pictures: {} }
      : { state: 'picture', pictures: { [layer]: picturePath(folder, fieldId, date, layer) } };
  return { layer, fields: new Map([[fieldId, day]]) };
}

/** Draws what lies under the outlines: the scene that the job read, or the newest picture of the own field there. */
export function useGround(
  map: FieldMap | undefined,
  { ground, scene }: Pick<SearchState, 'ground' | 'scene'>,
  own: OwnPicture | undefined,
): void {
  useEffect(() => {
    map?.setGround(ground === 'scene' ? scene : undefined);
  }, [map, ground, scene]);
  const isOwn = ground === 'own';
  const [id, date, layer] = [own?.fieldId, own?.date, own?.layer];
  useEffect(() => {
    const shown = { isGone: false };
    const show = async (): Promise<void> => {
      const day = isOwn && own !== undefined ? await dayOf(own) : undefined;
      if (!shown.isGone) await map?.show(day);
    };
    void show();
    return () => {
      shown.isGone = true;
    };
  }, [map, isOwn, id, date, layer]);
}
