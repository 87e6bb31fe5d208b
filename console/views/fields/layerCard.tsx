import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Histogram, Legend } from '../../map/legend.js';
import type { MapLayer, ValueRange } from '../../map/mapScene.js';
import type { Spread } from '../../map/spread.js';
import { Icon } from '../../parts/icons.js';
import { middleDay } from '../../parts/dateText.js';
import { Segments } from '../../parts/segments.js';
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
      <Segments
        legend="Layer"
        name="layer"
        offered={LAYERS.map((each) => [each.layer, each.name])}
        chosen={layer}
        onChoose={(chosen) => {
          look({ ...selection, layer: chosen });
        }}
      />
      <MoreButton
        isOpen={isOpen}
        onPress={() => {
          setOpen(!isOpen);
        }}
      />
      {spread === undefined || field === undefined ? null : (
        <Histogram layer={mapLayer} range={range} spread={spread} name={field.field_id} />
      )}
      <Legend layer={mapLayer} range={range} />
      <p class="layer-about quiet">{range === undefined ? aboutOf(mapLayer) : STRETCHED}</p>
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

const STRETCHED = 'Colours span the values of this field on this day: those of other fields and days differ.';

const aboutOf = (layer: MapLayer): string | undefined =>
  layer === 'difference'
    ? 'NDVI of the later day minus that of the earlier one.'
    : LAYERS.find((each) => each.layer === layer)?.about;

/** Whether colours mean the same in every field, or are spread over the values of the chosen one. */
const SCALES = [
  [false, 'Scale of all fields'],
  [true, 'Stretched to this field'],
] as const;

function Scale({ mapLayer, isStretched, onStretch }: LayerCardProps): JSX.Element | null {
  if (mapLayer !== 'ndvi' && mapLayer !== 'vegetation') return null;
  return (
    <Segments
      legend="Scale of the colours"
      name="scale"
      offered={SCALES}
      chosen={isStretched}
      onChoose={onStretch}
      isLow
    />
  );
}

/** Small maps have it: elsewhere the card shows everything. */
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

const WAYS = [
  ['swipe', 'Side by side'],
  ['difference', 'Difference'],
] as const;

const How = ({
  compared,
  onShow,
}: {
  readonly compared: Compared;
  readonly onShow: (compared: Compared) => void;
}): JSX.Element => (
  <Segments
    legend="How both days are shown"
    name="how"
    offered={WAYS}
    chosen={compared.how}
    onChoose={(how) => {
      onShow({ ...compared, how });
    }}
    isLow
  />
);
