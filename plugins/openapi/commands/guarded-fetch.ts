import { apiVersion, type CommandInvocation, createLogger, definePlugin, type OutboundFetch, ToolkitError } from '../../../kernel/index.ts';
import { outboundGuard } from '../../shared/http/outbound-guard.ts';
import { withoutSources } from './without-sources.ts';

/** Returns the fetch of tools, with the checks of the configuration's plugins, such as the outbound guard. `close` ends it. */
export async function guardedFetch({
  createKernel,
}: Pick<CommandInvocation, 'createKernel'>): Promise<{ fetch: OutboundFetch; close(): Promise<void> }> {
  let fetch: OutboundFetch | undefined;
  // The last plugin gets the wrappers of all others.
  const taker = definePlugin({
    name: 'openapi-fetch',
    apiVersion,
    apply({ extend }) {
      extend.fetch((next) => {
        fetch = next;
        return next;
      });
    },
  });
  const kernel = await createKernel({}, (options) => ({
    ...options,
    logger: createLogger({ level: 'silent' }),
    plugins: [...withoutSources(options.plugins), taker()],
  }));
  const close = (): Promise<void> => kernel.close();
  if (fetch !== undefined && kernel.facts(outboundGuard).length > 0) return { fetch, close };
  await close();
  throw new ToolkitError(
    'OUTBOUND_BLOCKED',
    'The configuration has no guardOutbound(), so nothing is fetched. Save the document, and name the file.',
  );
}
