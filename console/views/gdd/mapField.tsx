import type { JSX } from 'preact';
import { useLoaded } from '../../parts/useLoaded.js';
import { isOnePart, landIdOf, mapFieldOf, mapFields } from './fieldOfMap.js';
import type { SeasonWanted } from './seasonWanted.js';

/** The id of the chosen field among those of the farm; empty until that of one of the map is known. */
export function useFieldId(wanted: SeasonWanted): string {
  const field = mapFieldOf(wanted);
  const ofMap = useLoaded(field?.field_id, async () => field && landIdOf(field));
  return field === undefined ? wanted.fieldId : (ofMap.value ?? '');
}

interface MapFieldProps {
  readonly wanted: SeasonWanted;
  readonly set: (change: Partial<SeasonWanted>) => void;
}

/** A field of the map for the degree-days, where there are such fields and the token may write farm data. */
export function MapField({ wanted, set }: MapFieldProps): JSX.Element | null {
  const listed = mapFields();
  if (listed.length === 0) return null;
  const chosen = mapFieldOf(wanted);
  return (
    <fieldset class="map-field">
      <label>
        <span>A field of the map</span>
        <select
          value={chosen?.field_id ?? ''}
          onChange={({ currentTarget: { value } }) => {
            set({ mapField: value === '' ? undefined : value, fieldId: '' });
          }}
        >
          <option value="">None: a field of the farm</option>
          {listed.map((field) => (
            <option key={field.field_id} value={field.field_id} disabled={!isOnePart(field)}>
              {isOnePart(field) ? field.field_id : `${field.field_id} (several parts: import each)`}
            </option>
          ))}
        </select>
      </label>
      {chosen === undefined ? null : <p class="quiet">With its first season it becomes a field of this farm:</p>}
    </fieldset>
  );
}
