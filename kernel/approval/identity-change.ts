import type { CallContext } from '../call/context/context.ts';
import type { Identify } from '../call/context/plugin-functions.ts';
import type { Call } from '../call/draft.ts';
import { bindingsOf, type CallIdentity, changedIn, joinIdentities, partsOf } from '../call/identity.ts';
import type { Tool } from '../definition/schema/tool.ts';
import { excerpt, ToolkitError } from '../errors.ts';

interface Services {
  readonly extensions: { readonly identifiers: ReadonlyMap<string, Identify>; readonly parameterIdentifiers: readonly Identify[] };
  /** Returns the current tools. */
  readonly registry: () => { readonly tools: ReadonlyMap<string, Tool> };
}

/** The changes between two moments. */
export interface Change {
  /** Texts for a person: `its content (from … to …)`. Secrets are masked. */
  readonly words: readonly string[];
  /** The names of the changed parts. */
  readonly names: readonly string[];
}

/** Maximum number of changes that a message describes; the others are counted. */
const maxShown = 5;

/** Returns the identity reported by the execution type and by plugins that enforce keys of parameters. */
export async function identityOf({ extensions }: Pick<Services, 'extensions'>, call: Call, context: CallContext): Promise<CallIdentity> {
  const { identifiers, parameterIdentifiers } = extensions;
  const ofType = identifiers.get(call.tool.execution.type);
  const all = [...parameterIdentifiers, ...(ofType === undefined ? [] : [ofType])];
  return joinIdentities(await Promise.all(all.map((identify) => identify(call, context))));
}

/** Finds the changes of an identity since the question was asked; undefined without any. */
export function changeOf(
  { registry }: Pick<Services, 'registry'>,
  { tool }: Pick<Call, 'tool'>,
  { mask }: Pick<CallContext, 'mask'>,
  before: CallIdentity,
  now: CallIdentity,
): Change | undefined {
  const names = changedIn(bindingsOf(tool, before), bindingsOf(registry().tools.get(tool.name), now));
  if (names.length === 0) return undefined;
  const shown = names.slice(0, maxShown).map((name) => `its ${name}${describe(name, mask(before), mask(now))}`);
  return { names, words: names.length > maxShown ? [...shown, `${names.length - maxShown} more of its files`] : shown };
}

/** Throws APPROVAL_DENIED when an approved call has changed since. The check does not count towards the time limit of the tool. */
export async function refuseChanged(services: Services, call: Call, context: CallContext): Promise<void> {
  const { tool, identity: before } = call;
  if (before === undefined) return;
  const goOn = context.pauseClock();
  const now = await identityOf(services, call, context).finally(goOn);
  const changed = changeOf(services, call, context, before, now);
  if (changed === undefined) return;
  throw new ToolkitError(
    'APPROVAL_DENIED',
    `"${tool.name}" was approved, but not run: since the question, ${changed.words.join(' and ')} changed. Call it again, to have it approved as it is now.`,
    { tool: tool.name, changed: changed.names },
  );
}

function describe(word: string, before: CallIdentity, now: CallIdentity): string {
  const [old, next] = [before, now].map((identity) => partsOf(identity).get(word));
  if (old === undefined && next === undefined) return '';
  const [from, to] = [old, next].map((part) => (part === undefined ? 'nothing' : excerpt(part.shown)));
  return from === to ? ` (${from})` : ` (from ${from} to ${to})`;
}
