import { checkMessage, type Messages, type WaitingMessage } from '../../shared/storage/messages.js';

interface SentMessage extends WaitingMessage {
  readonly visibleAt: number;
}

/** One queue in memory; the same suite runs against it and against Azurite. */
export class MemoryMessages implements Messages {
  /** Every message that was sent and not taken, in the order of sending. */
  readonly sent: SentMessage[] = [];
  readonly #now: () => number;

  /** @param now milliseconds since 1970 UTC */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  send(text: string, delaySeconds: number): Promise<void> {
    checkMessage(text, delaySeconds);
    this.sent.push({ text, insertedAt: this.#now(), visibleAt: this.#now() + Math.ceil(delaySeconds) * 1000 });
    return Promise.resolve();
  }

  head(): Promise<WaitingMessage | undefined> {
    const first = this.#first();
    return Promise.resolve(first && { text: first.text, insertedAt: first.insertedAt });
  }

  /** Takes the message that has been visible longest, as a trigger does. */
  take(): string | undefined {
    const first = this.#first();
    if (first !== undefined) this.sent.splice(this.sent.indexOf(first), 1);
    return first?.text;
  }

  #first(): SentMessage | undefined {
    const now = this.#now();
    let first: SentMessage | undefined;
    for (const message of this.sent) {
      if (message.visibleAt <= now && message.visibleAt < (first?.visibleAt ?? Infinity)) first = message;
    }
    return first;
  }
}
