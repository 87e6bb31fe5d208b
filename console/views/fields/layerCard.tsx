import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { LayerName } from '../../../shared/imagery/layers/layers.js';
import { Legend } from '../../map/legend.js';
import { Icon } from '../../parts/icons.js';
import { shortDay } from '../../parts/dateText.js';
import { LAYERS } from './selection.js';

interface LayerCardProps {
  readonly layer: LayerName;
  readonly opacityPercent: number;
  /** The day left of the divider; undefined when nothing is compared. */
  readonly compared: string | undefined;
  /** Days with a picture that can be compared. */
  readonly pictureDates: readonly string[];
  readonly onLayer: (layer: LayerName) => void;
  readonly onOpacity: (percent: number) => void;
  readonly onCompare: (date: string | undefined) => void;
}

/** Which layer is shown, what its colours mean, and with which other day it is compared. */
export function LayerCard(props: LayerCardProps): JSX.Element {
  const { layer, opacityPercent, onLayer, onOpacity } = props;
  const [isOpen, setOpen] = useState(false);
  return (
    <div class={`layer-card${isOpen ? ' layer-card-open' : ''}`}>
      <fieldset class="segments">
        <legend class="hidden">Layer</legend>
        {LAYERS.map(({ layer: each, name }) => (
          <label key={each}>
            <input
              type="radio"
              name="layer"
              checked={layer === each}
              onChange={() => {
                onLayer(each);
              }}
            />
            <span>{name}</span>
          </label>
        ))}
      </fieldset>
      <MoreButton
        isOpen={isOpen}
        onPress={() => {
          setOpen(!isOpen);
        }}
      />
      <Legend layer={layer} />
      <p class="layer-about quiet">{LAYERS.find((each) => each.layer === layer)?.about}</p>
      <label class="opacity">
        <span>Opacity</span>
        <input
          type="range"
          min="0"
          max="100"
          step="5"
          value={opacityPercent}
          onInput={({ currentTarget }) => {
            onOpacity(Number(currentTarget.value));
          }}
        />
        <span class="figure">{opacityPercent} %</span>
      </label>
      <Comparing {...props} />
    </div>
  );
}

/** Only a phone has it: elsewhere the card shows everything. */
const MoreButton = ({ isOpen, onPress }: { readonly isOpen: boolean; readonly onPress: () => void }): JSX.Element => (
  <button
    type="button"
    class={`layer-more plain${isOpen ? ' on' : ''}`}
    aria-expanded={isOpen}
    aria-label="Opacity and comparing"
    onClick={onPress}
  >
    <Icon name="sliders" />
  </button>
);

function Comparing({ compared, pictureDates, onCompare }: LayerCardProps): JSX.Element {
  if (compared === undefined) {
    const before = pictureDates.at(-1);
    return (
      <button
        type="button"
        class="layer-compare"
        disabled={before === undefined}
        onClick={() => {
          onCompare(before);
        }}
      >
        <Icon name="compare" /> Compare two dates
      </button>
    );
  }
  return (
    <div class="layer-compare">
      <label>
        <span class="hidden">Day on the left</span>
        <select
          value={compared}
          onChange={({ currentTarget }) => {
            onCompare(currentTarget.value);
          }}
        >
          {pictureDates.map((date) => (
            <option key={date} value={date}>
              {shortDay(date)}
            </option>
          ))}
        </select>
      </label>
      <button
        type="button"
        class="on"
        onClick={() => {
          onCompare(undefined);
        }}
      >
        <Icon name="compare" /> Stop comparing
      </button>
    </div>
  );
}
