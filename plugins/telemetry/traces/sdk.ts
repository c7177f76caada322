import { randomUUID } from 'node:crypto';
import { context, createContextKey, type ProxyTracerProvider, ROOT_CONTEXT, type TracerProvider, trace } from '@opentelemetry/api';
import type { Logger } from '../../../kernel/index.ts';
import type { Collector } from './collector.ts';
import { ReportedExporter } from './reported-exporter.ts';
import { loadSdkPackages } from './sdk-packages.ts';

/** Time that the last spans may take to leave, in milliseconds. */
const flushMs = 5000;

/** The same where the collector did not take the spans before. */
const failedFlushMs = 500;

/** A running SDK. */
export interface Sdk {
  /** Sends the last spans, and ends it. Takes at most five seconds. */
  end(): Promise<void>;
}

/**
 * Starts the SDK of OpenTelemetry in this process: a batch exporter over OTLP, sampled and named by the variables of the specification, without a
 * propagator: nothing but this plugin passes the context on. Throws DEPENDENCY_MISSING without its packages.
 */
export async function startSdk({ logger, collector }: { readonly logger: Logger; readonly collector: Collector }): Promise<Sdk> {
  const { node, otlp, resources } = await loadSdkPackages();
  const { defaultResource, detectResources, envDetector, resourceFromAttributes } = resources;
  const exporter = new ReportedExporter(new otlp.OTLPTraceExporter(), { logger, collector });
  const named = resourceFromAttributes({ 'service.name': 'toolkit', 'service.instance.id': randomUUID() });
  const provider = new node.NodeTracerProvider({
    resource: defaultResource()
      .merge(named)
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new node.BatchSpanProcessor(exporter)],
  });
  // That of a host, which measures but does not trace, stays.
  const hasContexts = keepsContexts();
  provider.register({ propagator: null, ...(hasContexts ? { contextManager: null } : {}) });
  return {
    end: async () => {
      const limitMs = exporter.hasFailed ? failedFlushMs : flushMs;
      // What fails is reported by the exporter.
      const ended = provider.shutdown().catch(() => {});
      if (!(await within(limitMs, ended)))
        logger.warn(`the last spans did not leave within ${limitMs} ms: they are lost`, { collector: collector.shown });
      if (delegate() !== provider) return;
      // The next kernel of this process starts its own.
      trace.disable();
      if (!hasContexts) context.disable();
    },
  };
}

/** Returns true where contexts are kept already: without a manager every context is the root. */
function keepsContexts(): boolean {
  const key = createContextKey('toolkit');
  return context.with(ROOT_CONTEXT.setValue(key, true), () => context.active().getValue(key) === true);
}

function delegate(): TracerProvider | undefined {
  return (trace.getTracerProvider() as Partial<ProxyTracerProvider>).getDelegate?.();
}

/** Resolves to false when the time is over before the work. */
async function within(limitMs: number, work: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, limitMs, false);
  });
  const isDone = await Promise.race([work.then(() => true), over]);
  clearTimeout(timer);
  return isDone;
}
