const { cos, imul, log, sqrt } = Math;

/** Mixes whole numbers into 32 bits that look random; the same numbers give the same bits. */
export function hashOf(...numbers: readonly number[]): number {
  let hash = 0x9e3779b9;
  for (const number of numbers) hash = mixed(imul(hash ^ number, 0x85ebca6b) + 0x165667b1);
  return hash >>> 0;
}

function mixed(value: number): number {
  let bits = value | 0;
  bits = imul(bits ^ (bits >>> 15), 0x2c1b3c6d);
  bits = imul(bits ^ (bits >>> 12), 0x297a2d39);
  return bits ^ (bits >>> 15);
}

/** Two numbers and a seed as one number in 0–1, for noise: hashOf without its generality, because it runs per sample. */
export function unitAt(seed: number, x: number, y: number): number {
  return (mixed(mixed(imul(x, 0x27d4eb2d) ^ seed) ^ imul(y, 0x165667b1)) >>> 0) / 0x1_0000_0000;
}

/** A text, such as a date, as a number for `hashOf`. */
export function hashOfText(text: string): number {
  return hashOf(...Array.from(text, (letter) => letter.codePointAt(0) ?? 0));
}

/** A stream of random numbers that its seed determines. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** 0 ≤ value < 1 */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    return (mixed(this.#state) >>> 0) / 0x1_0000_0000;
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.next();
  }

  /** Normal distribution with mean 0 and standard deviation 1 (Box and Muller). */
  normal(): number {
    return sqrt(-2 * log(1 - this.next())) * cos(2 * Math.PI * this.next());
  }

  isTrue(probability: number): boolean {
    return this.next() < probability;
  }

  /** One of the values, each as likely as its weight. */
  pick<T>(weighted: readonly (readonly [value: T, weight: number])[]): T {
    const total = weighted.reduce((sum, [, weight]) => sum + weight, 0);
    let left = this.next() * total;
    for (const [value, weight] of weighted) {
      left -= weight;
      if (left < 0) return value;
    }
    const last = weighted.at(-1);
    if (last === undefined) throw new RangeError('Nothing to pick from.');
    return last[0];
  }
}
