import { metrics } from '@opentelemetry/api';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';

/** One value of a figure, by its attributes. */
export interface FigurePoint {
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Sum of a counter; number, sum and class counts of a histogram. */
  readonly value: unknown;
}

/** What is measured in this process. */
export interface Figures {
  readonly pointsOf: (name: string) => Promise<readonly FigurePoint[]>;
  readonly stop: () => Promise<void>;
}

/** Takes in what the service measures, from now on in this process. */
export function collectFigures(): Figures {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
  const provider = new MeterProvider({ readers: [reader] });
  metrics.setGlobalMeterProvider(provider);
  return {
    pointsOf: async (name) => {
      await reader.forceFlush();
      const found = exporter
        .getMetrics()
        .at(-1)
        ?.scopeMetrics.flatMap(({ metrics: figures }) => figures)
        .find(({ descriptor }) => descriptor.name === name);
      return found?.dataPoints.map(({ attributes, value }) => ({ attributes, value })) ?? [];
    },
    stop: () => provider.shutdown(),
  };
}
