import { messageOf, type PluginApi } from '../../../kernel/index.ts';
import { outboundGuard } from '../../shared/http/outbound-guard.ts';
import type { TelemetryOptions } from '../options.ts';
import { ApiTracer } from './api-tracer.ts';
import { recordContent } from './content.ts';
import type { Environment } from './environment.ts';
import { hasSdk } from './has-sdk.ts';
import { tracedFetch } from './outgoing-requests.ts';
import { Propagation } from './propagation.ts';
import { type Sdk, startSdk } from './sdk.ts';
import { TraceVariables } from './variables.ts';

/** Before the transports: their first request has a span. On `dispose`, whose order is reversed, after them. */
const firstStage = -1000;

/** Traces calls and outgoing requests, and starts an SDK with the first server or worker of this process where one is asked for. */
export function openTraces(
  api: PluginApi,
  { traces = 'auto', propagate = ['loopback', 'workers'], contentCharacters = 0 }: TelemetryOptions,
  env: Environment,
): void {
  const { extend, hooks, logger } = api;
  const variables = new TraceVariables(env);
  for (const [name, value] of variables.credentials) api.maskAlso(name, value);
  extend.tracer(new ApiTracer(new Propagation(propagate)));
  extend.fetch(tracedFetch({ mask: (value) => api.kernel.mask(value), isGuarded: () => api.kernel.facts(outboundGuard).length > 0 }));
  if (contentCharacters > 0) recordContent(api, contentCharacters);
  let sdk: Sdk | undefined;
  hooks.serve.tapPromise({ name: 'telemetry', stage: firstStage }, async () => {
    if (hasSdk()) return logger.info('spans go by the SDK of this process, with its settings');
    if (traces === 'auto' && !variables.namesExporter) return;
    const { forbiddenBy, collector, canSend, warnings } = variables;
    if (forbiddenBy !== undefined) return logger.info(`no spans are sent: ${forbiddenBy}`);
    for (const warning of warnings) logger.warn(warning);
    if (!canSend) return;
    try {
      sdk = await startSdk({ logger, collector });
      logger.info('spans are sent', { collector: collector.shown });
    } catch (error) {
      if (traces === true) throw error;
      logger.warn(`no spans are sent: ${messageOf(error)}`);
    }
  });
  hooks.dispose.tapPromise({ name: 'telemetry', stage: firstStage }, async () => sdk?.end());
}
