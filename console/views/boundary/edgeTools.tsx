import type { JSX } from 'preact';
import type { EdgeAction, EdgeEditing } from '../../map/mapScene.js';
import { Icon } from '../../parts/icons.js';

/** The edge that is drawn or adjusted, and who does what is pressed. */
export interface EdgeToolsProps {
  /** Undefined while there is none. */
  readonly editing: EdgeEditing | undefined;
  readonly onAct: (action: EdgeAction) => void;
}

type ToolsProps = { readonly editing: EdgeEditing } & Pick<EdgeToolsProps, 'onAct'>;

/** What is done with an edge without a mouse, and why a step was not taken. */
export function EdgeTools({ editing, onAct }: EdgeToolsProps): JSX.Element | null {
  if (editing === undefined) return null;
  const Tools = editing.isDrawing ? DrawingTools : AdjustingTools;
  return (
    <div class="corners" role="group" aria-label="Corners">
      <Tools editing={editing} onAct={onAct} />
      {editing.refused === undefined ? null : (
        <p class="input-fault" role="alert">
          {refusalOf(editing)}
        </p>
      )}
    </div>
  );
}

function refusalOf({ isDrawing, refused }: EdgeEditing): string {
  if (refused === 'few') return 'An outline has three corners or more: set another one.';
  return isDrawing
    ? 'The outline crosses itself, which no field does. Take the last corners back and lead it round.'
    : 'There the outline would cross itself, which no field does: it stays as it was.';
}

/** A button for one step. */
const Act = ({
  action,
  text,
  icon,
  isOff = false,
  onAct,
}: {
  readonly action: EdgeAction;
  readonly text: string;
  readonly icon?: 'left' | 'right';
  readonly isOff?: boolean;
  readonly onAct: EdgeToolsProps['onAct'];
}): JSX.Element => (
  <button
    type="button"
    class={icon === undefined ? '' : 'plain'}
    aria-label={icon === undefined ? undefined : text}
    disabled={isOff}
    onClick={() => {
      onAct(action);
    }}
  >
    {icon === undefined ? text : <Icon name={icon} />}
  </button>
);

const count = (corners: number): string => `${corners} corner${corners === 1 ? '' : 's'} set`;

function DrawingTools({ editing: { corners, canUndo }, onAct }: ToolsProps): JSX.Element {
  return (
    <>
      <small>
        Click corner after corner on the map; a double click or Enter ends the outline, Backspace takes a corner back,
        Escape cancels. Without a pointer the arrows move the map, and Space sets a corner in its middle.
      </small>
      <div class="row">
        <span class="figure corner-at" role="status">
          {count(corners)}
        </span>
        <Act action="undo" text="Take corner back" isOff={!canUndo} onAct={onAct} />
        <Act action="finish" text="End outline" isOff={corners < 3} onAct={onAct} />
        <Act action="cancel" text="Cancel" onAct={onAct} />
      </div>
    </>
  );
}

function AdjustingTools({ editing: { corners, marked, canUndo }, onAct }: ToolsProps): JSX.Element {
  return (
    <>
      <small>Drag a corner, or the edge between two. Tap a corner to mark it.</small>
      <div class="row">
        <Act action="before" text="Corner before" icon="left" onAct={onAct} />
        <span class="figure corner-at" role="status">
          {marked === undefined ? 'No corner marked' : `Corner ${marked} of ${corners}`}
        </span>
        <Act action="next" text="Next corner" icon="right" onAct={onAct} />
        <Act action="remove" text="Remove corner" isOff={marked === undefined || corners <= 3} onAct={onAct} />
        <Act action="undo" text="Undo" isOff={!canUndo} onAct={onAct} />
      </div>
    </>
  );
}
