/** What decides whether events are told. */
export interface NoticeSwitches {
  readonly PUBLIC_URL?: string | undefined;
  /** Keys by version. */
  readonly WEBHOOK_KEYS?: ReadonlyMap<string, Uint8Array> | undefined;
}

/** Whether events are told: they have the address of the service as their source, and secrets of webhooks are sealed. */
export const areNoticesOn = ({ PUBLIC_URL, WEBHOOK_KEYS }: NoticeSwitches): boolean =>
  PUBLIC_URL !== undefined && WEBHOOK_KEYS !== undefined;
