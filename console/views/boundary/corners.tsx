import type { JSX } from 'preact';
import type { MarkedCorner } from '../../map/mapScene.js';
import { Icon } from '../../parts/icons.js';

/** The corners of the edge that is adjusted. */
export interface CornersProps {
  readonly marked: MarkedCorner | undefined;
  readonly onStep: (step: 1 | -1) => void;
  readonly onRemove: () => void;
}

/** Corners without a mouse: a tap, or these buttons, mark one; the marked one can be removed. */
export function Corners({ marked, onStep, onRemove }: CornersProps): JSX.Element {
  const isTriangle = marked !== undefined && marked.count <= 3;
  return (
    <div class="corners" role="group" aria-label="Corners">
      <small>Drag a corner, or the edge between two. Tap a corner to mark it.</small>
      <div class="row">
        <button
          type="button"
          class="plain"
          aria-label="Corner before"
          onClick={() => {
            onStep(-1);
          }}
        >
          <Icon name="left" />
        </button>
        <span class="figure corner-at" role="status">
          {marked === undefined ? 'No corner marked' : `Corner ${marked.number} of ${marked.count}`}
        </span>
        <button
          type="button"
          class="plain"
          aria-label="Next corner"
          onClick={() => {
            onStep(1);
          }}
        >
          <Icon name="right" />
        </button>
        <button type="button" disabled={marked === undefined || isTriangle} onClick={onRemove}>
          Remove corner
        </button>
      </div>
    </div>
  );
}
