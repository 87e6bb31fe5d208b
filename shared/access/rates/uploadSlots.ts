/** How many uploads may use much memory at once; the others are asked to come back. */
export class UploadSlots {
  #free: number;

  constructor(slots: number) {
    this.#free = slots;
  }

  /** @returns what gives the slot back, harmless to call twice; undefined when none is free */
  tryTake(): (() => void) | undefined {
    if (this.#free === 0) return undefined;
    this.#free -= 1;
    let isTaken = true;
    return () => {
      if (isTaken) this.#free += 1;
      isTaken = false;
    };
  }
}
