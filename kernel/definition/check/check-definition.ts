import type { TSchema } from 'typebox';
import type { ErrorCode, Issue } from '../../errors.ts';
import { maxIssues, valueExcess } from '../../json/cost.ts';
import { describeValue, isPlainObject } from '../../json/json.ts';
import { findIssues } from '../../schema/check-value.ts';
import { pointerSegments } from '../../schema/validator-finding.ts';
import type { Origin } from '../schema/origin.ts';
import { type Problem, problemOf } from '../schema/problem.ts';

/**
 * Returns the exceeded limit of a definition. Entries of its `$defs` count one by one, because a provider has the schemas of all its tools there:
 * those of a large API have several hundred thousand members. The length of the definition limits them together.
 */
function definitionExcess({ $defs, ...rest }: Readonly<Record<string, unknown>>): string | undefined {
  if (!isPlainObject($defs)) return valueExcess($defs === undefined ? rest : { ...rest, $defs });
  const names = Object.keys($defs);
  if (names.length > maxSharedEntries) return `more than ${maxSharedEntries} entries of "$defs"`;
  for (const part of [rest, ...names.map((name) => [$defs[name]])]) {
    const excess = valueExcess(part);
    if (excess !== undefined) return excess;
  }
  return undefined;
}

/** Maximum number of shared schemas of a provider. */
const maxSharedEntries = 20_000;

/** Maximum number of ignored unknown keys. A definition with more is refused, because each one costs a search. */
const maxUnknownKeys = 200;

/**
 * Checks a definition against a schema. A key that resembles a known one is an error, because a mistyped
 * `requires_approval` must not open a tool. Any other unknown key is a warning and is removed from the value. Without `value`, `flaws` has all
 * issues, unless they are too many to report.
 */
export function checkDefinition<T>(
  schema: TSchema,
  definition: unknown,
  origin: Origin,
  code: ErrorCode = 'TOOL_INVALID',
): { value?: T; problems: Problem[]; issues?: readonly Issue[] } {
  const at = { code, plugin: origin.plugin, ...(origin.file === undefined ? {} : { file: origin.file }) };
  if (!isPlainObject(definition)) {
    const issue = { path: '', pointer: '', message: `expected an object with keys, received ${describeValue(definition)}` };
    return { problems: [problemOf(issue, { ...at, severity: 'error' }, origin.locate)] };
  }
  const excess = definitionExcess(definition);
  if (excess !== undefined) {
    const issue = { path: '', pointer: '', message: `holds ${excess}. Make it smaller` };
    return { problems: [problemOf(issue, { ...at, severity: 'error' }, origin.locate)] };
  }
  const { issues, isWhole } = findIssues(schema, definition, maxUnknownKeys);
  const unknownKeys = issues.filter(isHarmless);
  const otherIssues = issues.filter((issue) => !isHarmless(issue));
  const reported = [...(isWhole ? otherIssues : [...otherIssues.slice(0, maxIssues - 1), tooMuch]), ...unknownKeys].slice(0, maxIssues);
  const problems = inOrder(reported, issues).map((issue) =>
    problemOf(
      isCredential(issue) ? { ...issue, message: `${issue.message} ${unsent}` } : issue,
      { ...at, severity: isHarmless(issue) ? 'warning' : 'error' },
      origin.locate,
    ),
  );
  if (!isWhole) return { problems };
  if (otherIssues.length > 0) return { problems, issues: issues };
  return {
    value: unknownKeys.reduce<unknown>((value, issue) => without(value, pointerSegments(issue.pointer ?? '')), definition) as T,
    problems,
  };
}

const tooMuch: Issue = {
  path: '',
  pointer: '',
  message: `has more issues than can be listed (${maxUnknownKeys}). Correct these first`,
};

/** Picks errors before warnings when not all fit, but keeps the original order. */
function inOrder(reported: readonly Issue[], issues: readonly Issue[]): readonly Issue[] {
  const chosen = new Set(reported);
  return [...issues.filter((issue) => chosen.has(issue)), ...reported.filter((issue) => issue === tooMuch)];
}

function isHarmless(issue: Issue): boolean {
  return issue.resembles !== undefined && issue.resembles.length === 0 && !isCredential(issue);
}

const unsent =
  'Nothing would send it: say how a request proves who calls in "execution.auth", such as { type: bearer, token: "{SHOP_TOKEN}" }';

/** True for an unknown key that was meant as a credential: ignored, the tool would be called without authentication. */
function isCredential({ resembles, pointer = '' }: Issue): boolean {
  return resembles !== undefined && /^\/authentication\/[^/]*(token|key|secret|password|credential|_env$)[^/]*$/i.test(pointer);
}

function without(value: unknown, [key, ...rest]: string[]): unknown {
  if (key === undefined) return value;
  if (Array.isArray(value)) return value.map((item, index) => (String(index) === key ? without(item, rest) : item));
  const { [key]: member, ...others } = value as Record<string, unknown>;
  return rest.length === 0 ? others : { ...others, [key]: without(member, rest) };
}
