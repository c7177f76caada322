import { apiVersion, definePlugin } from '../../kernel/index.ts';
import { telemetryChecks } from './checks.ts';
import { TelemetryOptionsSchema } from './options.ts';

export type { TelemetryOptions } from './options.ts';

/** Traces of requests and calls by OpenTelemetry, and numbers for Prometheus. */
export const telemetry = definePlugin({
  name: 'telemetry',
  apiVersion,
  optionsSchema: TelemetryOptionsSchema,
  checks: telemetryChecks,
  async apply(api, options) {
    if (options.traces !== false) {
      const { openTraces } = await import('./traces/open-traces.ts');
      openTraces(api, options, process.env);
    }
    if (options.metrics !== false) {
      const { openMetrics } = await import('./metrics/open-metrics.ts');
      openMetrics(api, options.metrics === true ? {} : (options.metrics ?? {}));
    }
  },
});
