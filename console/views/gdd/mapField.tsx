import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ListedField } from '../../api/fields.js';
import { putField } from '../../api/farm.js';
import { storage } from '../../api/storage.js';
import type { FarmAccess } from '../../parts/farmAccess.js';
import { useFarms } from '../../parts/farmLand.js';
import { Fault } from '../../parts/fault.js';
import { fields as listedFields } from '../fields/fieldsStore.js';
import { idOfMapField, patchOfMapField } from './fieldOfMap.js';
import type { SeasonWanted } from './seasonWanted.js';

interface MapFieldProps {
  readonly access: FarmAccess;
  readonly wanted: SeasonWanted;
  readonly set: (change: Partial<SeasonWanted>) => void;
}

type Taking =
  | { readonly state: 'open' | 'taking' }
  | { readonly state: 'taken'; readonly name: string }
  | { readonly state: 'failed'; readonly error: unknown };

/** A field of the map for the degree-days, where there are such fields and the token may write farm data. */
export function MapField(props: MapFieldProps): JSX.Element | null {
  const { access } = props;
  const listed = listedFields.value ?? [];
  const customer = storage.value?.customer;
  if (access.state !== 'own' || !access.canWrite || listed.length === 0 || customer === undefined) return null;
  return <MapFieldChoice {...props} listed={listed} customer={customer} />;
}

interface ChoiceProps extends MapFieldProps {
  readonly listed: readonly ListedField[];
  readonly customer: string;
}

/** The farm that the field is created in: the chosen one, or the only one. */
function useFarm({ partyId, farmId }: SeasonWanted): string {
  const farms = useFarms(partyId).value?.items ?? [];
  return farmId === '' && farms.length === 1 ? (farms[0]?.id ?? '') : farmId;
}

/** The field is created once as a field of the chosen farm, then it is chosen. */
function MapFieldChoice({ wanted, set, listed, customer }: ChoiceProps): JSX.Element {
  const [chosen, setChosen] = useState('');
  const [taking, setTaking] = useState<Taking>({ state: 'open' });
  const { partyId } = wanted;
  const farmId = useFarm(wanted);
  const take = async (field: ListedField): Promise<void> => {
    setTaking({ state: 'taking' });
    try {
      const patch = patchOfMapField(field, farmId);
      if (patch === undefined) {
        throw new Error(`${field.field_id} has several parts; degree-days take a field of one part. Import its parts.`);
      }
      const { id } = await putField(partyId, await idOfMapField(customer, field.field_id), patch);
      set({ partyId, farmId, fieldId: id });
      setTaking({ state: 'taken', name: field.field_id });
    } catch (error) {
      setTaking({ state: 'failed', error });
    }
  };
  const picked = listed.find(({ field_id: id }) => id === chosen);
  return (
    <fieldset class="map-field">
      <label>
        <span>A field of the map</span>
        <select
          value={chosen}
          onChange={({ currentTarget }) => {
            setChosen(currentTarget.value);
            setTaking({ state: 'open' });
          }}
        >
          <option value="">Choose a field of the map</option>
          {listed.map(({ field_id: id }) => (
            <option key={id} value={id}>
              {id}
            </option>
          ))}
        </select>
      </label>
      {picked === undefined ? null : (
        <button type="button" disabled={farmId === '' || taking.state === 'taking'} onClick={() => void take(picked)}>
          {farmId === '' ? 'Choose a farm first' : 'Use this field'}
        </button>
      )}
      <p class="quiet" role="status">
        {taking.state === 'taken' ? `${taking.name} is a field of the farm now, and chosen.` : ''}
      </p>
      {taking.state === 'failed' ? <Fault title="The field was not created" error={taking.error} /> : null}
    </fieldset>
  );
}
