import { messageOf, type PluginApi } from '../../../kernel/index.ts';
import { optionalPackage } from '../../shared/project/optional-package.ts';

/** Time that the last spans may take to leave, in milliseconds. */
const flushMs = 5000;

/** Variables that name an exporter of traces (OpenTelemetry, Environment Variable Specification). */
const exporterVariables = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_TRACES_EXPORTER'] as const;

type Environment = Readonly<Record<string, string | undefined>>;

/** True where the environment asks for traces. */
export function wantsTraces(env: Environment): boolean {
  return exporterVariables.some((name) => (env[name] ?? '') !== '');
}

/** True where the environment forbids them. */
export function forbidsTraces(env: Environment): boolean {
  return env['OTEL_SDK_DISABLED']?.toLowerCase() === 'true' || env['OTEL_TRACES_EXPORTER']?.toLowerCase() === 'none';
}

/**
 * Starts the SDK of OpenTelemetry in this process: a batch exporter over OTLP, sampled and named by the variables of the specification. Resolves to the
 * function that sends the last spans and ends it. Throws DEPENDENCY_MISSING without its packages.
 */
export async function startSdk({ logger }: Pick<PluginApi, 'logger'>, env: Environment): Promise<() => Promise<void>> {
  const [{ NodeTracerProvider, BatchSpanProcessor }, { OTLPTraceExporter }, { resourceFromAttributes, envDetector, detectResources }] =
    await Promise.all([
      optionalPackage('telemetry', '@opentelemetry/sdk-trace-node', () => import('@opentelemetry/sdk-trace-node')),
      optionalPackage('telemetry', '@opentelemetry/exporter-trace-otlp-proto', () => import('@opentelemetry/exporter-trace-otlp-proto')),
      optionalPackage('telemetry', '@opentelemetry/resources', () => import('@opentelemetry/resources')),
    ]);
  const named = resourceFromAttributes({ 'service.name': env['OTEL_SERVICE_NAME'] ?? 'toolkit' });
  const provider = new NodeTracerProvider({
    resource: named.merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  provider.register();
  return async () => {
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, flushMs);
    });
    const ended = provider.shutdown().catch((error: unknown) => logger.warn(`the last spans did not leave: ${messageOf(error)}`));
    await Promise.race([ended, over]);
    clearTimeout(timer);
  };
}
