import type { LineState, Ticket } from './line.js';

/** A line as read: its state, the tickets at its front, and the mark of this reading. */
export interface LineReading {
  readonly state: LineState;
  /** Undefined when the line has no state yet: nobody has a place. */
  readonly etag: string | undefined;
  /** In the order of asking. */
  readonly tickets: readonly Ticket[];
}

/** Where lines are kept. */
export interface LineStore {
  /** Leaves a ticket; the same ticket twice is one. */
  ask(line: string, ticket: Ticket): Promise<void>;
  /** Takes a ticket back, whether or not it is there. */
  withdraw(line: string, ticket: Ticket): Promise<void>;
  /** @param most tickets that are read */
  read(line: string, most: number): Promise<LineReading>;
  /**
   * Stores the next state of a line and takes off what is spent, both or nothing; a state without holders is no row.
   *
   * @returns false when somebody else has changed the line since it was read, or taken a spent ticket back
   */
  advance(
    line: string,
    reading: Pick<LineReading, 'etag'>,
    next: { readonly state: LineState; readonly spent: readonly Ticket[] },
  ): Promise<boolean>;
  /** The lines in which somebody has a place. */
  list(): Promise<readonly { readonly line: string; readonly state: LineState }[]>;
}
