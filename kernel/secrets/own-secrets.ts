import type { Tool } from '../definition/schema/tool.ts';
import { ToolkitError } from '../errors.ts';
import { atOnce } from '../json/json.ts';
import { LongWork } from '../time/long-work.ts';
import { Redactor } from './redact.ts';
import type { Secret } from './secret.ts';

/**
 * Name of the argument with the approval of a gated call: true, or the token that a person gave. Hosts remove it from the arguments. In the
 * arguments of a nested call it stays, and its tool reads it.
 */
export const approvedArgument = '_toolkit_approved';

/** Minimum length of an approval token. A shorter text may be a word such as "true". */
const shortestApproval = 32;

/** Maximum number of different values under names of credentials: each costs time, and no call needs more. */
const maxFound = 100;

/** The parts of a call that may contain secrets. */
export interface SecretCandidates {
  readonly own: ReadonlyMap<string, Secret>;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly approval: string | undefined;
}

/**
 * Returns a redactor for the own secrets of a call; undefined without any. They are its credentials, approval tokens (an unused one still
 * approves a call), and all values in its parameters under the name of a credential of some tool (`secretNames`). Throws INVALID_PARAMETERS for
 * more than a call can need.
 */
export function ownSecrets(tool: Tool, brought: SecretCandidates, secretNames: ReadonlySet<string>): Redactor | undefined {
  const search = searchOf(tool, brought, secretNames);
  for (;;) {
    const step = search.next();
    if (step.done === true) return step.value;
  }
}

/** Does the same in slices, for large parameters. */
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

/** Yields regularly, so that the caller can pause. */
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
  // A parameter that the tool declares under such a name is not a credential.
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

/** Calls `note` with each text and number under a name. Yields regularly. Not recursive: a model may nest its arguments at any depth. */
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
