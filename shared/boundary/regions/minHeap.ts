/**
 * A priority queue of (price, order, payload): the lowest price first, of equal prices the lowest order.
 *
 * Stored in flat arrays that grow, without an object per entry.
 */
export class MinHeap {
  #prices: Float64Array;
  #orders: Int32Array;
  #payloads: Int32Array;
  #length = 0;

  constructor(capacity: number) {
    this.#prices = new Float64Array(capacity);
    this.#orders = new Int32Array(capacity);
    this.#payloads = new Int32Array(capacity);
  }

  get length(): number {
    return this.#length;
  }

  /** Price of the first entry; valid, as `order` and `payload`, while length is above 0. */
  get price(): number {
    return this.#prices[0] ?? 0;
  }

  get order(): number {
    return this.#orders[0] ?? 0;
  }

  get payload(): number {
    return this.#payloads[0] ?? 0;
  }

  push(price: number, order: number, payload: number): void {
    if (this.#length === this.#prices.length) this.#grow();
    let at = this.#length;
    this.#length += 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!this.#isLess(price, order, above)) break;
      this.#move(above, at);
      at = above;
    }
    this.#put(at, price, order, payload);
  }

  /** Removes the first entry. */
  pop(): void {
    this.#length -= 1;
    const last = this.#length;
    const price = this.#prices[last] ?? 0;
    const order = this.#orders[last] ?? 0;
    const payload = this.#payloads[last] ?? 0;
    let at = 0;
    for (let child = 1; child < last; child = 2 * at + 1) {
      if (child + 1 < last && this.#isBefore(child + 1, child)) child += 1;
      if (this.#isLess(price, order, child)) break;
      this.#move(child, at);
      at = child;
    }
    this.#put(at, price, order, payload);
  }

  #isLess(price: number, order: number, than: number): boolean {
    const other = this.#prices[than] ?? 0;
    return price < other || (price === other && order < (this.#orders[than] ?? 0));
  }

  #isBefore(first: number, second: number): boolean {
    return this.#isLess(this.#prices[first] ?? 0, this.#orders[first] ?? 0, second);
  }

  #move(from: number, to: number): void {
    this.#put(to, this.#prices[from] ?? 0, this.#orders[from] ?? 0, this.#payloads[from] ?? 0);
  }

  #put(at: number, price: number, order: number, payload: number): void {
    this.#prices[at] = price;
    this.#orders[at] = order;
    this.#payloads[at] = payload;
  }

  #grow(): void {
    const capacity = Math.max(16, 2 * this.#prices.length);
    const prices = new Float64Array(capacity);
    const orders = new Int32Array(capacity);
    const payloads = new Int32Array(capacity);
    prices.set(this.#prices);
    orders.set(this.#orders);
    payloads.set(this.#payloads);
    [this.#prices, this.#orders, this.#payloads] = [prices, orders, payloads];
  }
}
