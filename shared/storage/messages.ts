/** A message that waits in a queue. */
export interface WaitingMessage {
  readonly text: string;
  /** When it was sent, milliseconds since 1970 UTC. */
  readonly insertedAt: number;
}

/** A message that was taken and is hidden from others for some minutes. */
export interface TakenMessage extends WaitingMessage {
  readonly id: string;
  /** Whoever deletes the message shows it. */
  readonly receipt: string;
}

/** One answer has no more messages. */
export const MOST_TAKEN = 32;
/** For so long nobody else sees what was taken. */
export const TAKEN_SECONDS = 300;

/** The platform hides a message for at most seven days. */
export const LONGEST_DELAY_SECONDS = 7 * 86_400;

/** The platform takes 64 KiB of a message; as base64 three bytes become four. */
export const MOST_MESSAGE_BYTES = 48 * 1024;

/** One queue. Each method throws `ServiceError` 503 when storage can't be reached. */
export interface Messages {
  /**
   * Sends a text as base64, the encoding that host.json states.
   *
   * @param delaySeconds when the message becomes visible, 0 to 604,800
   * @throws RangeError for a text above 48 KiB or a delay out of range, before anything is sent
   */
  send(text: string, delaySeconds: number): Promise<void>;
  /** The visible message that waits longest; undefined when none waits. It stays where it is. */
  head(): Promise<WaitingMessage | undefined>;
  /** Takes up to 32 visible messages, those that wait longest first; who doesn't delete them sees them again in five minutes. */
  receive(): Promise<readonly TakenMessage[]>;
  /** About how many messages it holds, hidden ones too; none in a queue that the platform has not made yet. */
  approximateCount(): Promise<number>;
  /** Deleting one that is gone, or that somebody else took since, is harmless. */
  delete(message: Pick<TakenMessage, 'id' | 'receipt'>): Promise<void>;
}

/** The checks of `Messages.send`. @throws RangeError */
export function checkMessage(text: string, delaySeconds: number): void {
  const bytes = Buffer.byteLength(text, 'utf8');
  if (bytes > MOST_MESSAGE_BYTES) {
    throw new RangeError(`A message has ${bytes} bytes; at most ${MOST_MESSAGE_BYTES} are sent.`);
  }
  if (!(delaySeconds >= 0 && delaySeconds <= LONGEST_DELAY_SECONDS)) {
    throw new RangeError(`A message is hidden for 0 to ${LONGEST_DELAY_SECONDS} seconds, not ${delaySeconds}.`);
  }
}
