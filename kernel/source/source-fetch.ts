import type { OriginSource } from '../definition/schema/origin.ts';
import { ToolkitError } from '../errors.ts';
import type { OutboundFetch } from '../outbound.ts';
import { parseUrl } from '../schema/parse-url.ts';

/**
 * Returns `fetch` for one listing of a source, with the checks of plugins. A host that the operator named is trusted like the operator's own; any
 * other one, perhaps from a response, like a parameter of a call. Sends nothing after `end`.
 */
export function sourceFetch(fetch: () => OutboundFetch, source: OriginSource, signal: AbortSignal): { fetch: OutboundFetch; end(): void } {
  let isOver = false;
  return {
    fetch: async (input, init = {}, options = {}) => {
      if (signal.aborted) throw signal.reason;
      if (isOver) throw new ToolkitError('ABORTED', `The listing of the source "${source.name}" is over: it sends no more requests.`);
      const given = input instanceof Request ? input.url : String(input);
      const { origin = '' } = parseUrl(given) ?? {};
      const isOperators = source.urlOrigins.includes(origin);
      const signals = [signal, init.signal, input instanceof Request ? input.signal : undefined].filter(
        (one) => one instanceof AbortSignal,
      );
      const whose = isOperators
        ? ({ hostFrom: 'definition', trust: 'operator' } as const)
        : ({ hostFrom: 'parameter', trust: 'package' } as const);
      return fetch()(input, { ...init, signal: AbortSignal.any(signals) }, { ...options, ...whose, tenant: `source ${source.name}` });
    },
    end: () => {
      isOver = true;
    },
  };
}
