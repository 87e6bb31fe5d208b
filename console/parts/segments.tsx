import type { JSX } from 'preact';

interface SegmentsProps<T> {
  /** What is chosen, for screen readers. */
  readonly legend: string;
  /** Of the radio buttons; another one for each group of a view. */
  readonly name: string;
  readonly offered: readonly (readonly [value: T, text: string])[];
  readonly chosen: T;
  readonly onChoose: (value: T) => void;
  /** True for a choice within another, which is lower. */
  readonly isLow?: boolean;
}

/** One of a few that stand side by side. */
export const Segments = <T extends string | boolean>({
  legend,
  name,
  offered,
  chosen,
  onChoose,
  isLow = false,
}: SegmentsProps<T>): JSX.Element => (
  <fieldset class={`segments${isLow ? ' segments-scale' : ''}`}>
    <legend class="hidden">{legend}</legend>
    {offered.map(([value, text]) => (
      <label key={String(value)}>
        <input
          type="radio"
          name={name}
          checked={chosen === value}
          onChange={() => {
            onChoose(value);
          }}
        />
        <span>{text}</span>
      </label>
    ))}
  </fieldset>
);
