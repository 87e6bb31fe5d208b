import { useEffect } from 'preact/hooks';
import type { ListedField } from '../../api/fields.js';
import type { FieldMap } from '../../map/mapScene.js';
import { fields, loadFields } from './fieldsStore.js';

/** Lists the customer's fields, unless they are known. */
export function useListedFields(): void {
  useEffect(() => {
    if (fields.value !== undefined) return undefined;
    const ended = new AbortController();
    void loadFields(ended.signal);
    return () => {
      ended.abort();
    };
  }, []);
}

/** The customer's own fields on a map that is about something else; none while they aren’t known. */
export function useOwnFields(map: FieldMap | undefined): readonly ListedField[] {
  useListedFields();
  const own = fields.value;
  useEffect(() => {
    if (own !== undefined) map?.setFields(own.map(({ field_id: id, geometry }) => ({ id, geometry })));
  }, [map, own]);
  return own ?? [];
}
