import type { JSX } from 'preact';
import { useFarmAccess } from '../../parts/farmAccess.js';
import { FieldPicker } from '../../parts/fieldPicker.js';
import { notAmong } from '../../parts/landOptions.js';
import { Labelled } from '../../parts/labelled.js';
import { credentials } from '../../session/session.js';
import { useListedFields } from '../fields/useOwnFields.js';
import { mapFieldOf } from './fieldOfMap.js';
import { MapField } from './mapField.js';
import type { SeasonWanted } from './seasonWanted.js';

interface FieldInputsProps {
  readonly wanted: SeasonWanted;
  /** Faults of the last request by input. */
  readonly faults: ReadonlyMap<string, string>;
  readonly set: (change: Partial<SeasonWanted>) => void;
}

/** A field of the tenant's own data by name; else one of the farm that came with the sign-in, or ids that are typed. */
export function FieldInputs(props: FieldInputsProps): JSX.Element {
  const { wanted, faults, set } = props;
  const access = useFarmAccess();
  useListedFields();
  const hasFields = (credentials.value?.farm?.fields.length ?? 0) > 0;
  return (
    <>
      <MapField wanted={wanted} set={set} />
      <FieldPicker
        access={access}
        picked={wanted}
        wants={mapFieldOf(wanted) === undefined ? 'field' : 'farm'}
        fault={faults.get('resourceId') ?? faults.get('partyId')}
        onPick={set}
        otherwise={hasFields ? <KnownFields {...props} /> : <TypedIds {...props} />}
      />
    </>
  );
}

const KnownFields = ({ wanted, faults, set }: FieldInputsProps): JSX.Element => (
  <Labelled
    name="Field"
    fault={
      faults.get('resourceId') ??
      notAmong({ items: credentials.value?.farm?.fields ?? [], isCut: false }, wanted.fieldId, 'field')
    }
  >
    {(tie) => (
      <select
        {...tie}
        value={wanted.fieldId}
        onChange={({ currentTarget }) => {
          set({ fieldId: currentTarget.value });
        }}
      >
        {credentials.value?.farm?.fields.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    )}
  </Labelled>
);

const TypedIds = ({ wanted, faults, set }: FieldInputsProps): JSX.Element => (
  <>
    <Labelled name="Party id" fault={faults.get('partyId')}>
      {(tie) => (
        <input
          {...tie}
          required
          value={wanted.partyId}
          onInput={({ currentTarget }) => {
            set({ partyId: currentTarget.value.trim() });
          }}
        />
      )}
    </Labelled>
    <Labelled name="Field id" fault={faults.get('resourceId')}>
      {(tie) => (
        <input
          {...tie}
          required
          value={wanted.fieldId}
          onInput={({ currentTarget }) => {
            set({ fieldId: currentTarget.value.trim() });
          }}
        />
      )}
    </Labelled>
  </>
);
