import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { IndexDay } from '../../api/fields.js';
import { Icon } from '../../parts/icons.js';
import { dateToPlay } from './playDays.js';

/** Days a second. */
const SPEEDS = [1, 2, 4, 8] as const;

interface PlayProps {
  readonly all: readonly IndexDay[];
  readonly date: string;
  readonly onDate: (date: string) => void;
  /** Whether the day is drawn: the next one waits for it. */
  readonly isDrawn: () => boolean;
}

/** Runs through the days that have a picture, until it is stopped. */
export function Play({ all, date, onDate, isDrawn }: PlayProps): JSX.Element {
  const [isPlaying, setPlaying] = useState(false);
  const [speed, setSpeed] = useState<number>(2);
  const newest = useRef({ all, date, onDate, isDrawn });
  newest.current = { all, date, onDate, isDrawn };
  useEffect(() => {
    if (!isPlaying) return undefined;
    const timer = setInterval(() => {
      const { all: days, date: from, onDate: show, isDrawn: isReady } = newest.current;
      if (!isReady()) return;
      const next = dateToPlay(days, from);
      if (next !== undefined && next !== from) show(next);
    }, 1000 / speed);
    return () => {
      clearInterval(timer);
    };
  }, [isPlaying, speed]);
  const hasMore = all.filter(({ outcome }) => outcome === 'done').length > 1;
  return (
    <div class="play" role="group" aria-label="Play">
      <button
        type="button"
        class="plain"
        aria-label={isPlaying ? 'Stop' : 'Play the days'}
        title={isPlaying ? 'Stop' : 'Play the days'}
        disabled={!hasMore && !isPlaying}
        onClick={() => {
          setPlaying(!isPlaying);
        }}
      >
        <Icon name={isPlaying ? 'pause' : 'play'} />
      </button>
      {isPlaying ? (
        <select
          aria-label="Days a second"
          value={speed}
          onChange={({ currentTarget }) => {
            setSpeed(Number(currentTarget.value));
          }}
        >
          {SPEEDS.map((each) => (
            <option key={each} value={each}>
              {each} a second
            </option>
          ))}
        </select>
      ) : null}
    </div>
  );
}
