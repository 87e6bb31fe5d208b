import type { JSX } from 'preact';
import type { LayerName } from '../../../shared/scenes/layers/layers.js';
import { plainWords } from '../../parts/plainWords.js';
import type { Submission } from './useSubmission.js';

const LAYERS: readonly { readonly name: LayerName; readonly text: string }[] = [
  { name: 'true-color', text: 'True colour' },
  { name: 'ndvi', text: 'NDVI' },
  { name: 'vegetation', text: 'Vegetation' },
  { name: 'scouting', text: 'Scouting' },
];

const InputFault = ({ id, text }: { readonly id: string; readonly text: string | undefined }): JSX.Element | null =>
  text === undefined ? null : (
    <small class="input-fault" id={id}>
      {plainWords(text)}
    </small>
  );

/** Period, layers and description of a submission. */
export function WantedForm({ submission }: { readonly submission: Submission }): JSX.Element {
  const { wanted, want, faults } = submission;
  const { start_date: startFault, end_date: endFault, layers: layersFault } = faults.inputs;
  const day = (name: 'from' | 'to', text: string, fault: string | undefined): JSX.Element => (
    <label>
      <span>{text}</span>
      <input
        type="date"
        value={wanted[name]}
        aria-invalid={fault !== undefined}
        aria-describedby={fault === undefined ? undefined : `fault-${name}`}
        onChange={({ currentTarget }) => {
          want({ [name]: currentTarget.value });
        }}
      />
      <InputFault id={`fault-${name}`} text={fault} />
    </label>
  );
  return (
    <div class="stack">
      <div class="pairs">
        {day('from', 'From', startFault)}
        {day('to', 'Until', endFault)}
      </div>
      <fieldset class="layer-choices">
        <legend>Layers</legend>
        {LAYERS.map(({ name, text }) => (
          <label key={name} class="choice">
            <input
              type="checkbox"
              checked={wanted.layers.includes(name)}
              onChange={({ currentTarget: { checked } }) => {
                want({ layers: checked ? [...wanted.layers, name] : wanted.layers.filter((other) => other !== name) });
              }}
            />
            <span>{text}</span>
          </label>
        ))}
        <InputFault id="fault-layers" text={layersFault} />
      </fieldset>
      <label>
        <span>Description, if you like</span>
        <input
          type="text"
          value={wanted.description}
          maxLength={980}
          onInput={({ currentTarget }) => {
            want({ description: currentTarget.value });
          }}
        />
      </label>
    </div>
  );
}
