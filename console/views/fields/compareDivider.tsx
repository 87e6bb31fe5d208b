import type { JSX } from 'preact';
import { shortDay } from '../../parts/dateText.js';

interface CompareDividerProps {
  readonly left: string;
  readonly right: string;
  readonly percent: number;
  readonly onPercent: (percent: number) => void;
}

/** The line between two days on the map. */
export const CompareDivider = ({ left, right, percent, onPercent }: CompareDividerProps): JSX.Element => (
  <div class="compare" style={{ '--at': `${percent}%` }}>
    <span class="compare-day compare-left figure">{shortDay(left)}</span>
    <span class="compare-day compare-right figure">{shortDay(right)}</span>
    <div class="compare-line" />
    <input
      type="range"
      min="0"
      max="100"
      step="0.5"
      value={percent}
      aria-label={`Where ${shortDay(left)} ends and ${shortDay(right)} begins`}
      onInput={({ currentTarget }) => {
        onPercent(Number(currentTarget.value));
      }}
    />
  </div>
);
