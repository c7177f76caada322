import type { ASTNode } from '@marcbachmann/cel-js';
import { isTimeout, withProcessorTime } from './processor-time.ts';

/** CEL type of each variable, by name. A variable that is absent from a call is unknown: expressions that need it cannot be evaluated. */
export type VariableTypes<Variables> = Readonly<Record<keyof Variables, string>>;

/**
 * A compiled expression. Throws when it cannot be evaluated: a missing field, mismatched types, or too long a run. CEL integers are
 * bigints.
 */
export type Expression<Variables> = (variables: Variables) => unknown;

/** An error of an expression, with its position in the text. When thrown during evaluation, the message may hold values of the call. */
export class ExpressionError extends Error {}

export interface ExpressionOptions {
  /** Custom functions by signature, such as `during(dyn, dyn): bool`. */
  readonly functions?: Readonly<Record<string, (...values: never[]) => unknown>>;
  /** True when lists and maps may hold values of several types. @default false */
  readonly isMixed?: boolean;
}

/** Expected result of an expression, with its name in messages. */
export interface ExpectedResult {
  /** Name of the expression in messages, such as "condition". */
  readonly name: string;
  readonly type?: string;
  /** Description of the type in messages, such as "true or false". */
  readonly description?: string;
}

/** Far beyond what a person writes, and quick to parse. */
const limits = { maxAstNodes: 500, maxDepth: 50, maxListElements: 200, maxMapEntries: 200, maxCallArguments: 8 };

/** Maximum time of one evaluation in milliseconds, for expressions whose time can grow faster than their parameters. */
const timeoutMs = 250;

/** Functions whose time grows at most linearly with their arguments. An expression with any other runs under a time limit. */
const linear = new Set(
  [
    ['has', 'size', 'string', 'int', 'uint', 'double', 'bool', 'type', 'dyn', 'timestamp', 'duration'],
    ['startsWith', 'endsWith', 'contains', 'lowerAscii', 'upperAscii', 'trim', 'indexOf', 'lastIndexOf', 'substring'],
    ['getFullYear', 'getMonth', 'getDate', 'getDayOfMonth', 'getDayOfWeek', 'getDayOfYear'],
    ['getHours', 'getMinutes', 'getSeconds', 'getMilliseconds'],
  ].flat(),
);

/**
 * Loads CEL and returns a compiler of expressions. The compiler throws ExpressionError for a text that is not CEL or has another result
 * type.
 */
export async function loadExpressionCompiler<Variables extends object>(
  types: VariableTypes<Variables>,
  { functions = {}, isMixed = false }: ExpressionOptions = {},
): Promise<(text: string, expected: ExpectedResult) => Expression<Variables>> {
  const { Environment } = await import('@marcbachmann/cel-js');
  const environment = new Environment({ limits, homogeneousAggregateLiterals: !isMixed });
  const known = Object.entries<string>(types);
  for (const [name, type] of known) environment.registerVariable(name, type);
  for (const [signature, work] of Object.entries(functions)) environment.registerFunction(signature, work);
  const names = known.map(([name]) => name);
  return (text, { name: what, type: expectedType, description: means }) => {
    const where: ExpressionSource = { text, name: what, variableNames: names };
    const program = explained(where, () => environment.parse(text));
    const { valid, type = 'dyn', error } = program.check();
    if (!valid) throw problemOf(where, error);
    // CEL includes the element type of a list: `list<int>`.
    if (expectedType !== undefined && type !== 'dyn' && type.replace(/<.*$/s, '') !== expectedType)
      throw new ExpressionError(`gives ${type}: expected a ${what} that is ${means}`);
    const evaluate = isLinear(program.ast) ? program : withProcessorTime(program, { timeoutMs });
    return (variables) => explained(where, () => evaluate({ ...variables }) as unknown);
  };
}

interface ExpressionSource {
  readonly text: string;
  readonly name: string;
  /** Names of the variables. */
  readonly variableNames: readonly string[];
}

/**
 * True when the evaluation time is linear. Only `call` and `rcall` nodes name functions; other CEL nodes take time linear in their
 * operands.
 */
function isLinear({ op, args }: ASTNode): boolean {
  if (op === 'call' && !linear.has(args[0])) return false;
  if (op === 'rcall' && !linear.has(args[0])) return false;
  return nodesIn(args).every(isLinear);
}

function nodesIn(value: unknown): ASTNode[] {
  if (Array.isArray(value)) return value.flatMap(nodesIn);
  return typeof value === 'object' && value !== null && 'op' in value ? [value as ASTNode] : [];
}

function explained<R>(where: ExpressionSource, work: () => R): R {
  try {
    return work();
  } catch (error) {
    throw problemOf(where, error);
  }
}

/** Converts a library error, which has a summary and a range, into one line: its own message draws the expression over several lines. */
function problemOf({ text, name: what, variableNames: names }: ExpressionSource, error: unknown): ExpressionError {
  const { code, summary, range, message } = error as {
    readonly code?: string;
    readonly summary?: string;
    readonly range?: { readonly start: number };
    readonly message?: string;
  };
  if (isTimeout(error)) return new ExpressionError(`took longer than ${timeoutMs} ms and was stopped`, { cause: error });
  const known = code === 'unknown_variable' ? `. Variables are ${names.join(', ')}` : '';
  return new ExpressionError(
    `${summary ?? message ?? String(error)}${range === undefined ? '' : placeIn(text, range.start, what)}${known}`,
    {
      cause: error,
    },
  );
}

function placeIn(text: string, offset: number, what: string): string {
  const before = text.slice(0, offset).split('\n');
  const column = (before.at(-1)?.length ?? 0) + 1;
  return before.length === 1 ? ` (at column ${column} of the ${what})` : ` (at line ${before.length}, column ${column} of the ${what})`;
}
