import type { ComponentChildren, JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Listed } from '../api/farm.js';
import { farmPlaceOf, hrefOf, place } from '../router.js';
import type { ComboOption } from './comboChoice.js';
import { Combobox } from './combobox.js';
import { useFarms, useLandFields, type FarmPlace, type LandFields } from './farmLand.js';
import { LandMap } from './landMap.js';
import { ALL_FARMS, notAmong, optionsOf } from './landOptions.js';
import { Retry } from './retry.js';
import { landAreaText } from './units.js';
import type { Loaded } from './useLoaded.js';

/** What is picked; empty where nothing is. */
export interface PickedLand extends FarmPlace {
  readonly fieldId: string;
}

/** What is to be picked. */
export interface PickerProps {
  readonly picked: FarmPlace & { readonly fieldId?: string };
  /** A field, whose farm only narrows the choice; or a farm, which must be one. */
  readonly wants: 'farm' | 'field';
  /** What was wrong with it. */
  readonly fault?: string | undefined;
  readonly onPick: (change: Partial<PickedLand>) => void;
}

/** Party, farm and field, each by name; the field on a map too. */
export function LandPicker({
  parties,
  picked,
  wants,
  fault,
  onPick,
}: PickerProps & { readonly parties: Listed<{ readonly id: string; readonly name?: string }> }): JSX.Element {
  const [first] = parties.items;
  const isKnown = parties.items.some(({ id }) => id === picked.partyId);
  // A party that is remembered gives way to the only one there is; one that the address names does not.
  const isNamed = picked.partyId !== '' && farmPlaceOf(place.value.parts).partyId === picked.partyId;
  const partyId = isKnown ? picked.partyId : '';
  const farms = useFarms(partyId);
  const onlyParty = parties.items.length === 1 ? first?.id : undefined;
  const onlyFarm = wants === 'farm' && farms.value?.items.length === 1 ? farms.value.items[0]?.id : undefined;
  useEffect(() => {
    if (!isKnown && !isNamed && onlyParty !== undefined) onPick({ partyId: onlyParty, farmId: '', fieldId: '' });
  }, [isKnown, onlyParty]);
  useEffect(() => {
    if (picked.farmId === '' && onlyFarm !== undefined) onPick({ farmId: onlyFarm });
  }, [picked.farmId, onlyFarm]);
  if (first === undefined) {
    return <Nothing>No party yet: create one, then import its fields.</Nothing>;
  }
  return (
    <div class="stack">
      <Combobox
        name="Party"
        options={optionsOf(parties)}
        chosen={partyId}
        placeholder="Type a name"
        isRequired
        fault={isNamed ? notAmong(parties, picked.partyId, 'party') : undefined}
        onChoose={(id) => {
          onPick({ partyId: id, farmId: '', fieldId: '' });
        }}
      />
      <FarmChoice farms={farms} partyId={partyId} picked={picked} wants={wants} fault={fault} onPick={onPick} />
      {wants === 'field' ? <FieldChoice partyId={partyId} picked={picked} fault={fault} onPick={onPick} /> : null}
    </div>
  );
}

interface ChoiceProps extends Omit<PickerProps, 'wants'> {
  /** Empty while none is chosen. */
  readonly partyId: string;
}

function FarmChoice({
  farms,
  partyId,
  picked,
  wants,
  fault,
  onPick,
}: ChoiceProps &
  Pick<PickerProps, 'wants'> & {
    readonly farms: Loaded<Listed<{ readonly id: string; readonly name?: string }>>;
  }): JSX.Element {
  if (farms.error !== undefined) return <Retry title="The farms could not be listed" {...farms} error={farms.error} />;
  if (wants === 'farm' && farms.value?.items.length === 0) {
    return <Nothing at={partyId}>This party has no farm yet: create one.</Nothing>;
  }
  const options = farms.value === undefined ? [] : optionsOf(farms.value);
  return (
    <Combobox
      name="Farm"
      options={wants === 'farm' ? options : [ALL_FARMS, ...options]}
      chosen={picked.farmId}
      placeholder={partyId === '' ? 'Choose a party first' : farms.value === undefined ? 'Loading …' : 'Type a name'}
      isDisabled={farms.value === undefined}
      isRequired={wants === 'farm'}
      fault={(wants === 'farm' ? fault : undefined) ?? notAmong(farms.value, picked.farmId, 'farm')}
      onChoose={(farmId) => {
        onPick({ farmId, fieldId: '' });
      }}
    />
  );
}

const fieldOptions = ({ fields }: LandFields): readonly ComboOption[] =>
  fields.map(({ id, name, areaHa }) => ({
    id,
    text: name,
    note: areaHa === undefined ? undefined : landAreaText(areaHa),
  }));

const noSuchField = (value: LandFields | undefined, fieldId = ''): string | undefined =>
  value === undefined ? undefined : notAmong({ items: value.fields, isCut: value.isCut }, fieldId, 'field here');

function FieldChoice({ partyId, picked, fault, onPick }: ChoiceProps): JSX.Element | null {
  const { value, error, again } = useLandFields({ partyId, farmId: picked.farmId });
  const choose = (fieldId: string): void => {
    onPick({ fieldId });
  };
  if (error !== undefined) return <Retry title="The fields could not be listed" error={error} again={again} />;
  if (value?.fields.length === 0) {
    return <Nothing at={partyId}>No field here yet: import a file, or save a boundary as a field.</Nothing>;
  }
  const missing = noSuchField(value, picked.fieldId);
  const hasOutlines = value?.fields.some(({ geometry }) => geometry !== undefined) === true;
  return (
    <>
      <Combobox
        name="Field"
        options={value === undefined ? [] : fieldOptions(value)}
        chosen={picked.fieldId ?? ''}
        placeholder={partyId === '' ? 'Choose a party first' : value === undefined ? 'Loading …' : 'Type a name'}
        isDisabled={value === undefined}
        isRequired
        fault={fault ?? missing}
        onChoose={choose}
      />
      {value?.note === undefined ? null : <p class="quiet">{value.note}</p>}
      {hasOutlines ? (
        <div class="picker-map">
          <LandMap
            label="Map of the fields: click one to choose it"
            fields={value.fields}
            chosen={picked.fieldId ?? ''}
            onChoose={choose}
          />
        </div>
      ) : null}
    </>
  );
}

/** Nothing to choose from, and the way to change that. */
const Nothing = ({ at, children }: { readonly at?: string; readonly children: ComponentChildren }): JSX.Element => (
  <p class="note">
    {children} <a href={at === undefined ? hrefOf('farms') : hrefOf('farms', at)}>Go to Farms</a>
  </p>
);
