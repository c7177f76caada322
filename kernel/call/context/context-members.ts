import { isOperatorsMember, type Tool } from '../../definition/schema/tool.ts';
import { ToolkitError } from '../../errors.ts';
import type { Masking } from '../../log/bounded-text.ts';
import type { OutboundAddresses, OutboundFetch } from '../../outbound.ts';
import { parseUrl, refuseLongHost, toUrl } from '../../schema/parse-url.ts';
import type { HookRun } from '../../taps/hook-run.ts';
import type { Span } from '../../trace/span.ts';
import type { CallContext } from './context.ts';
import type { CallServices } from './services.ts';

/** A run whose requests are counted. */
type RequestingRun = HookRun & {
  readonly tenant: string;
  readonly span: Span | undefined;
  readonly fullMasking: Masking;
  countRequest(): () => void;
};

/** Returns `fetch` for one call, with the definition's trust and the tenant. Fails after the end of the call. */
export function fetchFor(run: RequestingRun, tool: Tool, fetch: OutboundFetch): OutboundFetch {
  const { tenant, span } = run;
  return async (input, init, options) => {
    run.refuseLate();
    refusePure(tool, 'fetch');
    if (!(input instanceof Request)) refuseLongHost(input);
    const isOwn = tool.origin.trust === 'operator' || isOperatorsUrl(tool, input instanceof Request ? input.url : input);
    const traced = span === undefined ? {} : { span, mask: run.fullMasking.mask };
    const trust = isOwn ? 'operator' : 'package';
    return fetch(input, init, { ...options, trust, tenant, ...traced, onNotConnected: run.countRequest() });
  };
}

/** Returns true for the origin of a base URL that the operator set for a package's provider, or named for a source. */
function isOperatorsUrl({ provider, origin: { source } }: Tool, url: string | URL): boolean {
  const base = provider !== undefined && isOperatorsMember(provider, 'base_url') ? provider.definition.base_url : undefined;
  const own = [...(base === undefined ? [] : [parseUrl(base)?.origin]), ...(source?.urlOrigins ?? [])];
  return own.length > 0 && own.includes(toUrl(url).origin);
}

/** Returns the address lookup for one tool. */
export function addressesFor(tool: Tool, addresses: OutboundAddresses): OutboundAddresses {
  const { trust } = tool.origin;
  return async (host, port, options) => {
    refusePure(tool, 'addressesOf');
    return addresses(host, port, { ...options, trust });
  };
}

/** Throws TOOL_INVALID for a pure tool: its answer is not masked, so it must not contain foreign data. */
function refusePure({ name, definition: { pure } }: Tool, what: string): void {
  if (pure !== true) return;
  const message = `"${name}" says pure: true, and its code uses context.${what}. Take "pure" out of its definition.`;
  throw new ToolkitError('TOOL_INVALID', message, { tool: name });
}

/** Applies an encoding. Throws TOOL_INVALID for an unknown name. */
export async function encodeWith(
  { extensions: { encodings } }: CallServices,
  tool: Tool,
  ...[name, values, options = {}]: Parameters<CallContext['encode']>
): Promise<unknown> {
  const encoding = encodings.get(name);
  if (encoding !== undefined) return encoding(values, options);
  throw new ToolkitError('TOOL_INVALID', `There is no encoding "${name}". Expected one of ${[...encodings.keys()].join(', ')}.`, {
    tool: tool.name,
  });
}
