import type { JSX } from 'preact';
import { useId } from 'preact/hooks';

interface LabelledProps {
  readonly name: string;
  readonly fault: string | undefined;
  /** Draws the input with what ties it to its fault. */
  readonly children: (tie: FaultTie) => JSX.Element;
}

/** What ties an input to what was wrong with it. */
export interface FaultTie {
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: true;
}

/** An input with its name, and what was wrong with it. */
export function Labelled({ name, fault, children }: LabelledProps): JSX.Element {
  const id = useId();
  return (
    <label>
      <span>{name}</span>
      {children(fault === undefined ? {} : { 'aria-describedby': id, 'aria-invalid': true })}
      {fault === undefined ? null : (
        <span class="input-fault" id={id} role="alert">
          {fault}
        </span>
      )}
    </label>
  );
}
