/** An element of the page. */
export interface FakeElement {
  /** Tells an event to whoever listens. */
  tell(type: string): void;
}

export interface FakeBrowser {
  /** Every image that was drawn on a canvas, in order. */
  readonly drawn: readonly object[];
  /** Addresses of the workers that were asked something. */
  workersAsked(): readonly string[];
  /** The element whose name for screen readers begins like this. */
  labelled(label: string): FakeElement | undefined;
  /** Ends what moves by itself, and takes the browser away. */
  close(): void;
}

/** Puts a browser around what is loaded next. */
export function fakeBrowser(around: {
  /** Fragment of the page. */
  readonly address: string;
  /** What its requests are answered. */
  readonly fetch: (address: string, init?: RequestInit) => Promise<Response>;
  /** What its session has kept. */
  readonly kept: Readonly<Record<string, string>>;
}): FakeBrowser;
