import type { JSX } from 'preact';
import { Labelled } from '../../parts/labelled.js';
import { FieldInputs } from './fieldInputs.js';
import { CROP_NAMES } from './season.js';
import type { SeasonWanted } from './seasonWanted.js';

interface SeasonFormProps {
  readonly wanted: SeasonWanted;
  readonly isBusy: boolean;
  /** Faults of the last request by input. */
  readonly faults: ReadonlyMap<string, string>;
  readonly onChange: (change: Partial<SeasonWanted>) => void;
  readonly onCalculate: () => void;
}

const START_EVENTS = [
  ['PLANTING', 'Planted'],
  ['EMERGENCE', 'Emerged'],
  ['GREEN_UP', 'Greened up'],
  ['OTHER', 'Counted from'],
] as const;

/** Field, crop and season. */
export function SeasonForm({ wanted, isBusy, faults, onChange: set, onCalculate }: SeasonFormProps): JSX.Element {
  const startName = START_EVENTS.find(([event]) => event === wanted.startEvent)?.[1] ?? 'From';
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        onCalculate();
      }}
    >
      <FieldInputs wanted={wanted} faults={faults} set={set} />
      <Labelled name="Crop" fault={faults.get('crop')}>
        {(tie) => (
          <select
            {...tie}
            value={wanted.crop}
            onChange={({ currentTarget }) => {
              set({ crop: currentTarget.value });
            }}
          >
            {CROP_NAMES.map(([crop, name]) => (
              <option key={crop} value={crop}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Labelled>
      <div class="halves">
        <Labelled name={startName} fault={faults.get('gddStartDate')}>
          {(tie) => (
            <input
              {...tie}
              type="date"
              required
              value={wanted.from}
              onInput={({ currentTarget }) => {
                set({ from: currentTarget.value });
              }}
            />
          )}
        </Labelled>
        <Labelled name="Until" fault={faults.get('gddEndDate')}>
          {(tie) => (
            <input
              {...tie}
              type="date"
              required
              value={wanted.to}
              onInput={({ currentTarget }) => {
                set({ to: currentTarget.value });
              }}
            />
          )}
        </Labelled>
      </div>
      <Labelled name="First day is" fault={faults.get('startEvent')}>
        {(tie) => (
          <select
            {...tie}
            value={wanted.startEvent}
            onChange={({ currentTarget }) => {
              set({ startEvent: currentTarget.value });
            }}
          >
            <option value="PLANTING">the day of planting</option>
            <option value="EMERGENCE">the day of emergence</option>
            <option value="GREEN_UP">green-up in spring</option>
            <option value="OTHER">any day</option>
          </select>
        )}
      </Labelled>
      <fieldset class="units">
        <legend>Temperatures in</legend>
        {(['c', 'f'] as const).map((unit) => (
          <label key={unit} class="choice">
            <input
              type="radio"
              name="unit"
              checked={wanted.unit === unit}
              onChange={() => {
                set({ unit });
              }}
            />
            <span>°{unit.toUpperCase()}</span>
          </label>
        ))}
      </fieldset>
      <button type="submit" class="first" disabled={isBusy}>
        Calculate
      </button>
    </form>
  );
}
