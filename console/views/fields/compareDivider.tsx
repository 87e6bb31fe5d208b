import type { JSX } from 'preact';
import { middleDay } from '../../parts/dateText.js';

interface CompareDividerProps {
  readonly one: string;
  readonly other: string;
  readonly percent: number;
  readonly onPercent: (percent: number) => void;
}

/** The line between two days on the map: the earlier one is left of it. */
export function CompareDivider({ one, other, percent, onPercent }: CompareDividerProps): JSX.Element {
  const [left, right] = [one, other].toSorted().map(middleDay);
  return (
    <div class="compare" style={{ '--at': `${percent}%` }}>
      <span class="compare-day compare-left figure">{left}</span>
      <span class="compare-day compare-right figure">{right}</span>
      <div class="compare-line" />
      <input
        type="range"
        min="0"
        max="100"
        step="0.5"
        value={percent}
        aria-label={`Where ${left ?? ''} ends and ${right ?? ''} begins`}
        onInput={({ currentTarget }) => {
          onPercent(Number(currentTarget.value));
        }}
      />
    </div>
  );
}
