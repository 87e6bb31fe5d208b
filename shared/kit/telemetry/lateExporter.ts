/** Takes what is to be sent and tells how it went, as OpenTelemetry has its exporters. */
export interface Exporter<Batch> {
  export(batch: Batch, done: (result: { readonly code: number; readonly error?: Error }) => void): unknown;
  forceFlush?(): Promise<void>;
  shutdown(): Promise<void>;
}

/** `ExportResultCode.FAILED` of OpenTelemetry. */
const FAILED = 1;

/**
 * An exporter that is loaded with the first batch. One that can't be loaded loses that batch, and nothing else: the
 * service goes on, and the next batch tries it again.
 *
 * @param load undefined when there is nowhere to send to
 */
export function lateExporter<Batch>(load: () => Promise<Exporter<Batch> | undefined>): Required<Exporter<Batch>> {
  let isUsed = false;
  return {
    export: (batch, done) => {
      isUsed = true;
      const send = async (): Promise<void> => {
        const exporter = await load();
        if (exporter === undefined) done({ code: 0 });
        // That of Azure Monitor returns a promise, which nobody else waits for.
        else await exporter.export(batch, done);
      };
      send().catch((error: unknown) => {
        done({ code: FAILED, error: new Error('Telemetry could not be sent.', { cause: error }) });
      });
    },
    forceFlush: async () => {
      if (isUsed) await (await load())?.forceFlush?.();
    },
    shutdown: async () => {
      if (isUsed) await (await load())?.shutdown();
    },
  };
}
