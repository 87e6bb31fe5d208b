/** Where spans and figures go; nowhere when every setting is absent. */
export interface TelemetrySettings {
  readonly APPLICATIONINSIGHTS_CONNECTION_STRING: string | undefined;
  /** Client id of the managed identity that may publish metrics. */
  readonly AZURE_CLIENT_ID: string | undefined;
  readonly OTEL_EXPORTER_OTLP_ENDPOINT: string | undefined;
  readonly OTEL_TRACES_EXPORTER: 'console' | undefined;
}

/**
 * Sets up the exporter that the settings name. The packages are loaded only then: a service without telemetry starts
 * without them.
 */
export async function startTelemetry(settings: TelemetrySettings): Promise<void> {
  const { APPLICATIONINSIGHTS_CONNECTION_STRING: connectionString } = settings;
  if (connectionString !== undefined) await exportToAzureMonitor(connectionString, settings.AZURE_CLIENT_ID);
  else if (settings.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined || settings.OTEL_TRACES_EXPORTER !== undefined) {
    await exportByOpenTelemetry();
  }
}

async function exportToAzureMonitor(connectionString: string, clientId: string | undefined): Promise<void> {
  const [{ useAzureMonitor }, { ManagedIdentityCredential }] = await Promise.all([
    import('@azure/monitor-opentelemetry'),
    import('@azure/identity'),
  ]);
  const credential =
    clientId === undefined ? new ManagedIdentityCredential() : new ManagedIdentityCredential({ clientId });
  useAzureMonitor({
    azureMonitorExporterOptions: { connectionString, credential },
    // Log lines go through the host; spans of requests and calls are our own.
    instrumentationOptions: { http: { enabled: false }, azureSdk: { enabled: false } },
    // Of an instance: a caller at its limit would otherwise fill the workspace with spans. Figures count everything.
    tracesPerSecond: 0.5,
    enableLiveMetrics: false,
  });
}

/** By the standard variables of OpenTelemetry: an OTLP endpoint, or the console. */
async function exportByOpenTelemetry(): Promise<void> {
  const { NodeSDK } = await import('@opentelemetry/sdk-node');
  new NodeSDK({ serviceName: 'partner-field-service', instrumentations: [] }).start();
}
