import { type ProxyTracerProvider, trace } from '@opentelemetry/api';

/** Returns true where this process has an SDK, such as that of the program around this one. */
export function hasSdk(): boolean {
  const provider: Partial<ProxyTracerProvider> = trace.getTracerProvider();
  return provider.getDelegateTracer === undefined || provider.getDelegateTracer('toolkit') !== undefined;
}
