import { defineFact, type Fact, ToolkitError } from '../../../kernel/index.ts';

/** A way in which a call can be approved, and the names that can decide there. `many`: names that no configuration lists. */
export interface ApprovalWay {
  /** Name of the way, as in `Decider.way`. */
  readonly way: string;
  readonly names: readonly string[] | 'many';
  /** Kinds of the reasons that are put to this way (`Reason.kind`). @default every kind */
  readonly kinds?: readonly string[];
}

/** Stated by each plugin through which a call can be approved, for the checks of `approvers`. */
export const approvalWays = defineFact<ApprovalWay>('approval ways');

/** The way whose only name is the requester, who never counts among several approvers. */
const ofRequester = 'elicitation';

/**
 * Counts the different names that can approve a call; Infinity when a way has many. Names are compared without their way: `ann` at a terminal and
 * `ann` by webhook are one. Elicitation does not count: it asks the requester. `kind`: counts only the ways that reasons of this kind are put to.
 */
export function countNames(ways: readonly ApprovalWay[], kind?: string): number {
  const counted = ways.filter(({ way, kinds }) => way !== ofRequester && (kind === undefined || (kinds?.includes(kind) ?? true)));
  if (counted.some(({ names }) => names === 'many')) return Number.POSITIVE_INFINITY;
  return new Set(counted.flatMap(({ names }) => (names === 'many' ? [] : names))).size;
}

/** The option that demands several approvers. */
export interface ApproversDemand {
  /** The plugin whose option it is. @default approvals */
  readonly plugin?: string;
  /** The option in words, such as `rule "wire" of policy.yaml`. @default the option "approvers" of the plugin */
  readonly by?: string;
  /** The kind of the reason, where it is only one. @default every kind */
  readonly kind?: string;
}

/** Throws PLUGIN_INVALID when a configuration demands more approvers than there are names, so that no such call could ever run. */
export function refuseTooFewNames(
  facts: readonly Fact<ApprovalWay>[],
  approvers: number,
  { plugin = 'approvals', by = `the option "approvers" of plugin "${plugin}"`, kind }: ApproversDemand = {},
): void {
  const ways = facts.map(({ value }) => value);
  const count = countNames(ways, kind);
  if (approvers < 2 || count >= approvers) return;
  throw new ToolkitError(
    'PLUGIN_INVALID',
    `${capitalized(by)} demands ${approvers} approvers, and this configuration has ${count} possible ${count === 1 ? 'name' : 'names'}${namesIn(ways, kind)}. The requester never counts. Add webhooks with names of their own, libraryNames of approvals() for the names of your own code, or a store of several machines; or lower approvers to ${count < 2 ? 1 : count}.`,
    { plugin, approvers, names: count },
  );
}

function namesIn(ways: readonly ApprovalWay[], kind: string | undefined): string {
  const shown = ways.filter((way) => countNames([way], kind) > 0).map(({ way, names }) => `${way}: ${[names].flat().join(', ')}`);
  return shown.length === 0 ? '' : ` (${shown.join('; ')})`;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
