import { messageOf, type PluginApi } from '../../../kernel/index.ts';
import type { TelemetryOptions } from '../options.ts';
import { ApiTracer } from './api-tracer.ts';
import { hasSdk } from './has-sdk.ts';
import { tracedFetch } from './outgoing-requests.ts';
import { Propagation } from './propagation.ts';
import { forbidsTraces, startSdk, wantsTraces } from './sdk.ts';

/** Before the transports: their first request has a span. */
const firstStage = -1000;

/** Traces calls and outgoing requests, and starts an SDK with the first server or worker of this process where one is asked for. */
export function openTraces(
  api: PluginApi,
  { traces = 'auto', propagate = ['loopback', 'workers'] }: TelemetryOptions,
  env: Readonly<Record<string, string | undefined>>,
): void {
  const { extend, hooks, logger } = api;
  extend.tracer(new ApiTracer(new Propagation(propagate)));
  extend.fetch(tracedFetch((value) => api.kernel.mask(value)));
  if (forbidsTraces(env) || (traces === 'auto' && !wantsTraces(env))) return;
  let end: (() => Promise<void>) | undefined;
  hooks.serve.tapPromise({ name: 'telemetry', stage: firstStage }, async () => {
    if (hasSdk()) return;
    try {
      end = await startSdk(api, env);
    } catch (error) {
      if (traces === true) throw error;
      logger.warn(`no traces are sent: ${messageOf(error)}`);
    }
  });
  hooks.dispose.tapPromise('telemetry', async () => end?.());
}
