import type { Tool } from '../definition/tool.ts';
import { excerpt, ToolkitError } from '../errors.ts';
import type { Call, CallContext } from '../hooks.ts';
import { bindingsOf, type CallIdentity, changedIn, identityParts } from './identity.ts';

/**
 * Says what a call will run. Asked before the first question about a call, and again in the moment before it runs; never for a call about
 * which nobody is asked. It must change nothing. On throw: the call fails.
 */
export type Identify = (call: Call, context: CallContext) => CallIdentity | Promise<CallIdentity>;

interface Services {
  readonly extensions: { readonly identifiers: ReadonlyMap<string, Identify> };
  /** The tools of this moment. */
  readonly registry: () => { readonly tools: ReadonlyMap<string, Tool> };
}

/** What the execution type of a call says that it will run. */
export async function identityOf({ extensions }: Pick<Services, 'extensions'>, call: Call, context: CallContext): Promise<CallIdentity> {
  return (await extensions.identifiers.get(call.tool.execution.type)?.(call, context)) ?? {};
}

/** Throws APPROVAL_DENIED when a call that was approved would not run what was approved. */
export async function refuseChanged(services: Services, call: Call, context: CallContext): Promise<void> {
  const { tool, identity: before } = call;
  if (before === undefined) return;
  const now = await identityOf(services, call, context);
  const changed = changedIn(bindingsOf(tool, before), bindingsOf(services.registry().tools.get(tool.name), now));
  if (changed.length === 0) return;
  const words = changed.map((name) => `its ${name}${describe(name, context.mask(before), context.mask(now))}`);
  throw new ToolkitError(
    'APPROVAL_DENIED',
    `"${tool.name}" was approved, but not run: since the question, ${words.join(' and ')} changed. Call it again, to have it approved as it is now.`,
    { tool: tool.name, changed },
  );
}

function describe(word: string, before: CallIdentity, now: CallIdentity): string {
  const name = identityParts.find((part) => part === word);
  if (name === undefined) return '';
  const [old = 'nothing', next = 'nothing'] = [before[name], now[name]].map((part) => part && excerpt(part.shown));
  return old === next ? ` (${old})` : ` (from ${old} to ${next})`;
}
