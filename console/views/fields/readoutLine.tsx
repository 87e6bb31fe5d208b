import type { ReadonlySignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { MapLayer, Readout } from '../../map/mapScene.js';
import { placeText } from '../../parts/placeText.js';
import { valueOfText, valueText } from './selection.js';

interface ReadoutLineProps {
  /** A signal: the pointer draws this line again, and nothing else. */
  readonly readout: ReadonlySignal<Readout | undefined>;
  readonly layer: MapLayer;
}

/** Field, value and place under the pointer; a value says what it is of. */
export function ReadoutLine({ readout, layer }: ReadoutLineProps): JSX.Element | null {
  const told = readout.value;
  if (told === undefined) return null;
  return (
    <p class="map-readout fields-readout figure">
      {told.fieldId === undefined ? null : (
        <>
          <b>{told.fieldId}</b>
          <strong>{told.isReading === true ? 'reading …' : valueText(layer, told.value)}</strong>
          {told.value === undefined ? null : <span>{valueOfText(layer)}</span>}
        </>
      )}
      <span>{placeText(told.place)}</span>
    </p>
  );
}
