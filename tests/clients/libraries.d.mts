/** Types of libraries.mjs: of npm `standardwebhooks` and `cloudevents` what the tests use. */

/** A webhook with its secret, as receivers have it. */
export class Webhook {
  constructor(secret: string);
  /** @throws Error unless the secret has signed these bytes within the last five minutes */
  verify(payload: string, headers: Readonly<Record<string, string>>): unknown;
  /** The header `webhook-signature`. */
  sign(id: string, at: Date, payload: string): string;
}

export const HTTP: {
  /** The event in a request, checked against the specification. */
  toEvent(message: { readonly headers: object; readonly body: string }): object;
};
