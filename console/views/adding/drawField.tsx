import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Polygon } from '../../../shared/geo/shapes/geoJson.js';
import { polygonAreaHa } from '../../../shared/geo/grid/polygonArea.js';
import { landAreaText } from '../../parts/units.js';
import { EdgeTools, type EdgeToolsProps } from '../boundary/edgeTools.js';
import type { HandedField } from '../handOver.js';

interface DrawFieldProps {
  readonly edge: EdgeToolsProps;
  /** The outline that was drawn, as it is now. */
  readonly outline: Polygon | undefined;
  /** Begins to draw, or ends it without a field. */
  readonly onDraw: (isOn: boolean) => void;
  /** What the picture under the outline is. */
  readonly ground: string | undefined;
  /** Whether the map is there to draw on. */
  readonly isReady: boolean;
  readonly onDrawn: (field: HandedField) => void;
}

/** A field that is drawn on the map, adjusted, and named. */
export function DrawField({ edge, outline, ground, isReady, onDraw, onDrawn }: DrawFieldProps): JSX.Element {
  const { editing } = edge;
  if (editing === undefined) {
    return (
      <div class="row">
        <button
          type="button"
          disabled={!isReady}
          onClick={() => {
            onDraw(true);
          }}
        >
          Draw a field
        </button>
      </div>
    );
  }
  return (
    <div class="note stack">
      <EdgeTools {...edge} />
      {ground === undefined ? null : <small role="status">{ground}</small>}
      {editing.isDrawing || outline === undefined ? null : (
        <NameField outline={outline} onDraw={onDraw} onDrawn={onDrawn} />
      )}
    </div>
  );
}

/** Asks for the name of what was drawn: under it the field joins the others. */
function NameField({
  outline,
  onDraw,
  onDrawn,
}: Pick<DrawFieldProps, 'onDraw' | 'onDrawn'> & { readonly outline: Polygon }): JSX.Element {
  const [name, setName] = useState('');
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    input.current?.focus();
  }, []);
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        onDrawn({ fieldId: name.trim(), geometry: outline });
      }}
    >
      <label>
        <span>Name of the field, {landAreaText(polygonAreaHa(outline))}</span>
        <input
          ref={input}
          type="text"
          value={name}
          maxLength={128}
          required
          onInput={({ currentTarget }) => {
            setName(currentTarget.value);
          }}
        />
      </label>
      <div class="row">
        <button type="submit" class="small first" disabled={name.trim() === ''}>
          Add this field
        </button>
        <button
          type="button"
          class="small"
          onClick={() => {
            onDraw(false);
          }}
        >
          Discard it
        </button>
      </div>
    </form>
  );
}
