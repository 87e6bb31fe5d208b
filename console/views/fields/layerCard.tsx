import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Histogram, Legend } from '../../map/legend.js';
import type { MapLayer, ValueRange } from '../../map/mapScene.js';
import type { Spread } from '../../map/spread.js';
import { Icon } from '../../parts/icons.js';
import { middleDay } from '../../parts/dateText.js';
import type { Compared } from './fieldsAddress.js';
import { LAYERS, look, type Selection } from './selection.js';

interface LayerCardProps {
  readonly selection: Selection;
  /** What the map shows: the layer, or a difference. */
  readonly mapLayer: MapLayer;
  readonly opacityPercent: number;
  /** Days with a picture that can be compared. */
  readonly pictureDates: readonly string[];
  /** The values of the chosen field, once its picture is there. */
  readonly spread: Spread | undefined;
  /** What the ends of the colours stand for, where they are stretched to the chosen field. */
  readonly range: ValueRange | undefined;
  readonly isStretched: boolean;
  readonly onStretch: (isStretched: boolean) => void;
  readonly onOpacity: (percent: number) => void;
}

/** Which layer is shown, what its colours mean, and with which other day it is compared. */
export function LayerCard(props: LayerCardProps): JSX.Element {
  const { selection, mapLayer, opacityPercent, onOpacity, spread, range } = props;
  const { layer, field } = selection;
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
                look({ ...selection, layer: each });
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
      <Legend layer={mapLayer} range={range} />
      <p class="layer-about quiet">{aboutOf(mapLayer)}</p>
      {spread === undefined || field === undefined ? null : (
        <Histogram layer={mapLayer} spread={spread} name={field.field_id} />
      )}
      <Scale {...props} />
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

const aboutOf = (layer: MapLayer): string | undefined =>
  layer === 'difference'
    ? 'NDVI of the later day minus that of the earlier one.'
    : LAYERS.find((each) => each.layer === layer)?.about;

/** Whether colours mean the same in every field, or are spread over the values of the chosen one. */
function Scale({ mapLayer, isStretched, onStretch }: LayerCardProps): JSX.Element | null {
  if (mapLayer !== 'ndvi' && mapLayer !== 'vegetation') return null;
  return (
    <fieldset class="segments segments-scale">
      <legend class="hidden">Scale of the colours</legend>
      {[false, true].map((each) => (
        <label key={String(each)}>
          <input
            type="radio"
            name="scale"
            checked={isStretched === each}
            onChange={() => {
              onStretch(each);
            }}
          />
          <span>{each ? 'Stretched to this field' : 'Scale of all fields'}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** Phones, tablets and low windows have it: elsewhere the card shows everything. */
const MoreButton = ({ isOpen, onPress }: { readonly isOpen: boolean; readonly onPress: () => void }): JSX.Element => (
  <button
    type="button"
    class={`layer-more plain${isOpen ? ' on' : ''}`}
    aria-expanded={isOpen}
    aria-label="More about the layer"
    onClick={onPress}
  >
    <Icon name="sliders" />
  </button>
);

function Comparing({ selection, pictureDates }: LayerCardProps): JSX.Element {
  const { compared, date, layer } = selection;
  const show = (next: Compared | undefined): void => {
    look({ ...selection, compared: next });
  };
  if (compared === undefined) {
    const before = pictureDates.findLast((each) => each < date) ?? pictureDates[0];
    return (
      <button
        type="button"
        class="layer-compare"
        disabled={before === undefined}
        onClick={() => {
          if (before !== undefined) show({ date: before, how: 'swipe' });
        }}
      >
        <Icon name="compare" /> Compare two dates
      </button>
    );
  }
  return (
    <>
      {layer === 'ndvi' ? <How compared={compared} onShow={show} /> : null}
      <div class="layer-compare">
        <label>
          <span class="hidden">Compare with</span>
          <select
            value={compared.date}
            onChange={({ currentTarget }) => {
              show({ ...compared, date: currentTarget.value });
            }}
          >
            {[...new Set([...pictureDates, compared.date])].toSorted().map((each) => (
              <option key={each} value={each}>
                {middleDay(each)}
              </option>
            ))}
          </select>
        </label>
        <button
          type="button"
          class="on"
          onClick={() => {
            show(undefined);
          }}
        >
          <Icon name="compare" /> Stop comparing
        </button>
      </div>
    </>
  );
}

const How = ({
  compared,
  onShow,
}: {
  readonly compared: Compared;
  readonly onShow: (compared: Compared) => void;
}): JSX.Element => (
  <fieldset class="segments segments-scale">
    <legend class="hidden">How both days are shown</legend>
    {(['swipe', 'difference'] as const).map((how) => (
      <label key={how}>
        <input
          type="radio"
          name="how"
          checked={compared.how === how}
          onChange={() => {
            onShow({ ...compared, how });
          }}
        />
        <span>{how === 'swipe' ? 'Side by side' : 'Difference'}</span>
      </label>
    ))}
  </fieldset>
);
