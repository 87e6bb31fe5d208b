import {
  checkMessage,
  MOST_TAKEN,
  TAKEN_SECONDS,
  type Messages,
  type TakenMessage,
  type WaitingMessage,
} from '../../shared/storage/messages.js';

interface SentMessage extends WaitingMessage {
  readonly id: string;
  readonly visibleAt: number;
  readonly receipt?: string;
}

/** One queue in memory; the same suite runs against it and against Azurite. */
export class MemoryMessages implements Messages {
  /** Every message that was sent and not taken, in the order of sending. */
  readonly sent: SentMessage[] = [];
  readonly #now: () => number;
  #ids = 0;
  #receipts = 0;

  /** @param now milliseconds since 1970 UTC */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  send(text: string, delaySeconds: number): Promise<void> {
    checkMessage(text, delaySeconds);
    const id = String((this.#ids += 1));
    this.sent.push({ id, text, insertedAt: this.#now(), visibleAt: this.#now() + Math.ceil(delaySeconds) * 1000 });
    return Promise.resolve();
  }

  head(): Promise<WaitingMessage | undefined> {
    const first = this.#first();
    return Promise.resolve(first && { text: first.text, insertedAt: first.insertedAt });
  }

  receive(): Promise<readonly TakenMessage[]> {
    const taken: TakenMessage[] = [];
    for (let first = this.#first(); first !== undefined && taken.length < MOST_TAKEN; first = this.#first()) {
      const receipt = String((this.#receipts += 1));
      const visibleAt = this.#now() + TAKEN_SECONDS * 1000;
      this.sent[this.sent.indexOf(first)] = { ...first, visibleAt, receipt };
      taken.push({ text: first.text, insertedAt: first.insertedAt, id: first.id, receipt });
    }
    return Promise.resolve(taken);
  }

  approximateCount(): Promise<number> {
    return Promise.resolve(this.sent.length);
  }

  delete({ id, receipt }: Pick<TakenMessage, 'id' | 'receipt'>): Promise<void> {
    const at = this.sent.findIndex((message) => message.id === id && message.receipt === receipt);
    if (at >= 0) this.sent.splice(at, 1);
    return Promise.resolve();
  }

  /** Takes the message that has been visible longest for good, as a trigger does. */
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
