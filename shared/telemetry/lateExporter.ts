/** Takes what is to be sent and tells how it went, as OpenTelemetry has its exporters. */
export interface Exporter<Batch> {
  export(batch: Batch, done: (result: { readonly code: number; readonly error?: Error }) => void): void;
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
      load().then(
        (exporter) => {
          if (exporter === undefined) done({ code: 0 });
          else exporter.export(batch, done);
        },
        (error: unknown) => {
          done({ code: FAILED, error: new Error('The exporter of telemetry could not be loaded.', { cause: error }) });
        },
      );
    },
    forceFlush: async () => {
      if (isUsed) await (await load())?.forceFlush?.();
    },
    shutdown: async () => {
      if (isUsed) await (await load())?.shutdown();
    },
  };
}
