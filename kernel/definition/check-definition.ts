import type { TSchema } from 'typebox';
import type { ErrorCode, Issue } from '../errors.ts';
import { findIssues, pointerSegments } from '../schema/check-value.ts';
import { maxIssues, valueExcess } from '../schema/cost.ts';
import { describeValue, isPlainObject } from '../schema/json.ts';
import { type Locate, type Problem, problemOf } from './problem.ts';

/** An installed package with tools. */
export interface OriginPackage {
  readonly name: string;
  /** Names of secrets that the operator lets it use beside those that its provider file declares. */
  readonly secrets: readonly string[];
  /** It lies beside this program, and the project does not name it. @default false */
  readonly isUndeclared?: boolean;
}

/** A source (`extend.source`), as far as its definitions are held to it. */
export interface OriginSource {
  readonly name: string;
  /** Execution types that its tools may have. */
  readonly executionTypes: readonly string[];
  /** Names of secrets that its tools may use beside those that begin with its own name. */
  readonly secrets: readonly string[];
  /** Of URLs, such as `https://api.shop.example`: those that the operator has named. */
  readonly urlOrigins: readonly string[];
}

/** Where a definition comes from. `operator` is somebody's own file or configuration, `package` an installed package. */
export interface Origin {
  readonly plugin: string;
  readonly trust: 'operator' | 'package';
  /** The package that it was installed with; not there for what comes with this program or from a plugin. */
  readonly package?: OriginPackage;
  /** The source that listed it. */
  readonly source?: OriginSource;
  /** It comes with this program: nothing takes its name. @default false */
  readonly isBuiltIn?: boolean;
  /** A tool that goes with the results of all others: offered with whatever tools are, unless it is left out by name, and counted nowhere. @default false */
  readonly isCompanion?: boolean;
  /** The folder or file that was named, and below which it was found. */
  readonly root?: string;
  readonly file?: string;
  /** Relative paths in the definition start here. */
  readonly directory?: string;
  /** Names of files that will lie in `directory` together with the definition, for one that is checked before it is written. */
  readonly siblings?: readonly string[];
  readonly locate?: Locate;
  /** A text that nobody has accepted yet, such as one of a model: whether files outside its directory exist is not for it to learn. @default false */
  readonly isProposed?: boolean;
}

/** Unknown keys that are left out. A definition with more of them is refused, because each must be looked at. */
const maxUnknownKeys = 200;

/**
 * Checks what somebody wrote against a schema. A key that resembles a known one is an error, because a mistyped
 * `requires_approval` must not open a tool; any other unknown key is a warning and is left out of the value. Without `value`, `flaws` are all that is
 * wrong, unless that is too much to be told.
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
  const excess = valueExcess(definition);
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
  message: `is wrong in more places than can be told (${maxUnknownKeys}). Correct these first`,
};

/** Errors are told before warnings where not all can be, but each in its place. */
function inOrder(reported: readonly Issue[], issues: readonly Issue[]): readonly Issue[] {
  const chosen = new Set(reported);
  return [...issues.filter((issue) => chosen.has(issue)), ...reported.filter((issue) => issue === tooMuch)];
}

function isHarmless(issue: Issue): boolean {
  return issue.resembles !== undefined && issue.resembles.length === 0 && !isCredential(issue);
}

const unsent =
  'Nothing would send it: say how a request proves who calls in "execution.auth", such as { type: bearer, token: "{SHOP_TOKEN}" }';

/** Left out, the tool would be called without what was meant to prove who calls. */
function isCredential({ resembles, pointer = '' }: Issue): boolean {
  return resembles !== undefined && /^\/authentication\/[^/]*(token|key|secret|password|credential|_env$)[^/]*$/i.test(pointer);
}

function without(value: unknown, [key, ...rest]: string[]): unknown {
  if (key === undefined) return value;
  if (Array.isArray(value)) return value.map((item, index) => (String(index) === key ? without(item, rest) : item));
  const { [key]: member, ...others } = value as Record<string, unknown>;
  return rest.length === 0 ? others : { ...others, [key]: without(member, rest) };
}
