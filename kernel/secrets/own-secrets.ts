import type { Tool } from '../definition/tool.ts';
import { ToolkitError } from '../errors.ts';
import { atOnce } from '../schema/json.ts';
import { LongWork } from '../time/long-work.ts';
import { Redactor } from './redact.ts';
import type { Secret } from './secret.ts';

/**
 * The argument that carries the proof of approval of a gated call: true, or the token that a person gave. Hosts take it out of the arguments
 * of a call; in the arguments of a call inside another one it stands where its tool finds it.
 */
export const approvedArgument = '_toolkit_approved';

/** A shorter text is no token, and may be a word such as "true". */
const shortestApproval = 32;

/** Different values that parameters may hold under names of credentials: each costs time, and no call needs more. */
const maxFound = 100;

/** What one call brings along, as far as it may hold secrets. */
export interface SecretCandidates {
  readonly own: ReadonlyMap<string, Secret>;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly approval: string | undefined;
}

/**
 * Masks what only one call knows: its own credentials, approval tokens (one that was not used up is still good for a call), and what stands
 * at any depth of its parameters under the name of a credential of some tool (`secretNames`). Undefined when there is none. Throws INVALID_PARAMETERS for more than a call can need.
 */
export function ownSecrets(tool: Tool, brought: SecretCandidates, secretNames: ReadonlySet<string>): Redactor | undefined {
  const search = searchOf(tool, brought, secretNames);
  for (;;) {
    const step = search.next();
    if (step.done === true) return step.value;
  }
}

/** The same for large parameters, in slices. */
export async function ownSecretsInSlices(
  tool: Tool,
  brought: SecretCandidates,
  secretNames: ReadonlySet<string>,
): Promise<Redactor | undefined> {
  const work = new LongWork();
  const search = searchOf(tool, brought, secretNames);
  for (;;) {
    if (work.isDue) await work.yieldToEventLoop();
    const step = search.next();
    if (step.done === true) return step.value;
  }
}

/** Yields now and then. */
function* searchOf(
  tool: Tool,
  { own, parameters, approval }: SecretCandidates,
  secretNames: ReadonlySet<string>,
): Generator<void, Redactor | undefined> {
  const found = new Map<string, string>();
  const note = (name: string, value: string): void => {
    const isSecret = name === approvedArgument ? value.length >= shortestApproval : secretNames.has(name);
    if (isSecret) found.set(value, name);
    if (found.size > maxFound) throw tooMany(tool);
  };
  // What the tool itself declares under such a name is no credential.
  const { properties = {} } = tool.inputSchema;
  yield* visit(parameters, (name, value, isTop) => (isTop && Object.hasOwn(properties as object, name) ? undefined : note(name, value)));
  if (approval !== undefined) note(approvedArgument, approval);
  const secrets = tool.credentials.flatMap(({ name, isSecret }) => (isSecret ? (own.get(name) ?? []) : []));
  if (found.size === 0 && secrets.length === 0) return undefined;
  const redactor = new Redactor();
  for (const secret of secrets) redactor.add(secret);
  for (const [value, name] of found) redactor.maskAlso(name, value);
  return redactor;
}

function tooMany(tool: Tool): ToolkitError {
  const message = `more than ${maxFound} values stand under names of credentials. Credentials are supplied by the service: leave them out`;
  return new ToolkitError('INVALID_PARAMETERS', `The parameters of "${tool.name}" cannot be taken: ${message}.`, {
    tool: tool.name,
    issues: [{ path: '', message }],
  });
}

/**
 * Tells of every text and number that stands under a name, and yields now and then. Without recursion: a model may nest its arguments as deep as it
 * likes.
 */
function* visit(top: object, note: (name: string, value: string, isTop: boolean) => void): Generator<void> {
  const seen = new Set<object>([top]);
  let visited = 0;
  for (const value of seen) {
    const isList = Array.isArray(value);
    const keys = isList ? undefined : Object.keys(value);
    for (let index = 0; index < (keys ?? (value as unknown[])).length; index++) {
      const name = keys?.[index] ?? index;
      const member = (value as Record<string | number, unknown>)[name];
      if (typeof member === 'object' && member !== null) seen.add(member);
      else if (!isList && (typeof member === 'string' || typeof member === 'number')) note(String(name), String(member), value === top);
      if (++visited % atOnce === 0) yield;
    }
  }
}
