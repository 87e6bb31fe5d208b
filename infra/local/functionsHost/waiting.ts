/** Waits for some work, but not longer than a time. */
export async function waitAtMost(limitMs: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}

/** A wait that can be cut short, before it begins too. */
export class CuttableWait {
  #end: (() => void) | undefined;
  #isCut = false;

  async for(delayMs: number): Promise<void> {
    if (!this.#isCut) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, delayMs);
        this.#end = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#end = undefined;
    this.#isCut = false;
  }

  cut(): void {
    this.#isCut = true;
    this.#end?.();
  }
}
