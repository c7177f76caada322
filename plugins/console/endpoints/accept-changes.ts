import { describeValue, excerpt, isPlainObject, type Kernel, type PendingChange, ToolkitError } from '../../../kernel/index.ts';
import type { AcceptChanges } from '../wire/sources.ts';
import { digestOfChange } from './change-difference.ts';
import { findingsByName } from './change-findings.ts';

/** Maximum number of names in one message. */
const maxNames = 5;

/**
 * Accepts changes of a source exactly as they were shown, all or none. Throws NOT_FOUND for an unknown source, APPROVAL_REQUIRED when one of them is
 * another change now, or is blocked by a finding that is not accepted by name.
 */
export async function acceptChanges(kernel: Kernel, source: string, { changes, acceptFindings = [] }: AcceptChanges): Promise<void> {
  if (!kernel.sources.list().some(({ name }) => name === source))
    throw new ToolkitError('NOT_FOUND', `There is no source "${excerpt(source, 100)}". Load the page again to see the present ones.`);
  const pending = kernel.sources.pending().filter((change) => change.source === source);
  const byDigest = new Map(pending.map((change) => [digestOfChange(change), change]));
  const chosen = changes.map(({ name, digest }) => ({ name, change: byDigest.get(digest) }));
  const lost = chosen.filter(({ name, change }) => change?.name !== name).map(({ name }) => name);
  if (lost.length > 0) throw notAsShown(source, lost, pending);
  const seen = chosen.flatMap(({ change = [] }) => change);
  await refuseBlocked(seen, acceptFindings, kernel);
  try {
    await kernel.sources.accept(seen);
  } catch (error) {
    // The source was listed again between the two lines.
    if (ToolkitError.is(error) && error.code === 'NOT_FOUND') throw notAsShown(source, namesOf(seen), kernel.sources.pending());
    throw error;
  }
}

/** Returns the checked body. Throws INVALID_PARAMETERS. */
export function readAcceptChanges(body: unknown): AcceptChanges {
  const { changes, acceptFindings = [], ...others } = isPlainObject(body) ? body : { changes: undefined };
  const isChange = (one: unknown): boolean => isPlainObject(one) && typeof one['name'] === 'string' && typeof one['digest'] === 'string';
  if (!Array.isArray(changes) || changes.length === 0 || !changes.every(isChange) || Object.keys(others).length > 0)
    throw invalid('{ "changes": [{ "name", "digest" }] } with at least one change', changes);
  if (!Array.isArray(acceptFindings) || !acceptFindings.every((name) => typeof name === 'string'))
    throw invalid('"acceptFindings" as a list of names', acceptFindings);
  return { changes, acceptFindings };
}

async function refuseBlocked(seen: readonly PendingChange[], accepted: readonly string[], { registry }: Kernel): Promise<void> {
  const findings = await findingsByName(seen, registry);
  const blocked = seen.filter(({ name }) => !accepted.includes(name) && findings.get(name)?.isBlocked === true);
  if (blocked.length === 0) return;
  const message = `Nothing was accepted: texts of ${inWords(namesOf(blocked))} look like orders to a model. Read the findings; if you trust them all the same, accept each of them by name.`;
  throw new ToolkitError('APPROVAL_REQUIRED', message);
}

function notAsShown(source: string, names: readonly string[], pending: readonly PendingChange[]): ToolkitError {
  const present = new Set(namesOf(pending));
  const changed = names.filter((name) => present.has(name));
  const gone = names.filter((name) => !present.has(name));
  const parts = [
    ...(changed.length === 0 ? [] : [`changed again since they were shown: ${inWords(changed)}`]),
    ...(gone.length === 0 ? [] : [`not withheld any more: ${inWords(gone)}`]),
  ];
  return new ToolkitError('APPROVAL_REQUIRED', `Nothing of "${source}" was accepted; ${parts.join('; ')}. Look at them again.`);
}

function namesOf(changes: readonly PendingChange[]): readonly string[] {
  return changes.map(({ name }) => name);
}

function inWords(names: readonly string[]): string {
  const more = names.length > maxNames ? ` and ${names.length - maxNames} more` : '';
  return `${excerpt(names.slice(0, maxNames).join(', '), 150)}${more}`;
}

function invalid(expected: string, received: unknown): ToolkitError {
  return new ToolkitError('INVALID_PARAMETERS', `The request is not valid: expected ${expected}, received ${describeValue(received)}.`);
}
