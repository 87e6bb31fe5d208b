import type { EdgeAction } from './mapScene.js';

/** What keys are told to, and what they depend on. */
export interface EdgeKeys {
  readonly map: HTMLElement | undefined;
  readonly isDrawing: () => boolean;
  readonly onAction: (action: EdgeAction) => void;
}

const DRAWING: Readonly<Record<string, EdgeAction>> = { Enter: 'finish', Escape: 'cancel', Backspace: 'undo' };

function actionOf(
  { key, ctrlKey, metaKey, target }: KeyboardEvent,
  { map, isDrawing }: EdgeKeys,
): EdgeAction | undefined {
  if ((ctrlKey || metaKey) && key.toLowerCase() === 'z') return 'undo';
  if (!isDrawing()) return undefined;
  if (key === ' ') return target === map ? 'corner' : undefined;
  // Enter presses a button or follows a link.
  return key === 'Enter' && target instanceof Element && target.matches('button, a, summary')
    ? undefined
    : DRAWING[key];
}

/** Keys of an edge, wherever the focus is but in an input, which has keys of its own. @returns what ends it */
export function edgeKeys(keys: EdgeKeys): () => void {
  const onKey = (event: KeyboardEvent): void => {
    if (event.target instanceof Element && event.target.matches('input, select, textarea')) return;
    const action = actionOf(event, keys);
    if (action === undefined) return;
    event.preventDefault();
    keys.onAction(action);
  };
  document.addEventListener('keydown', onKey);
  return () => {
    document.removeEventListener('keydown', onKey);
  };
}
