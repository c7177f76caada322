import { createContext, Script } from 'node:vm';
import type { ASTNode } from '@marcbachmann/cel-js';

/** By name, the type in CEL of each value that expressions may use. One that is absent in a call is unknown: an expression that needs it cannot be evaluated. */
export type VariableTypes<Variables> = Readonly<Record<keyof Variables, string>>;

/** Throws when it cannot be evaluated: a missing field, a mismatch of types, too long a run. Whole numbers of CEL are bigints. */
export type Expression<Variables> = (variables: Variables) => unknown;

/** What is wrong with an expression, with its place in the text. The message may hold values of the call when it is thrown by one. */
export class ExpressionError extends Error {}

export interface ExpressionOptions {
  /** By signature, such as `during(dyn, dyn): bool`. */
  readonly functions?: Readonly<Record<string, (...values: never[]) => unknown>>;
  /** Lists and maps may hold values of several types. @default false */
  readonly isMixed?: boolean;
}

/** What an expression is to give, by what it is called in messages: a type of CEL, else anything. */
export interface Expected {
  /** Such as "condition". */
  readonly what: string;
  readonly type?: string;
  /** Such as "true or false", as is wanted of the type. */
  readonly means?: string;
}

/** Far beyond what a person writes, and quick to parse. */
const limits = { maxAstNodes: 500, maxDepth: 50, maxListElements: 200, maxMapEntries: 200, maxCallArguments: 8 };

/** How long one evaluation may take, in milliseconds, where its time can grow faster than the parameters do. */
const maxMs = 250;

/** Functions whose time grows no faster than their arguments. With any other the evaluation runs under a time limit. */
const linear = new Set(
  [
    ['has', 'size', 'string', 'int', 'uint', 'double', 'bool', 'type', 'dyn', 'timestamp', 'duration'],
    ['startsWith', 'endsWith', 'contains', 'lowerAscii', 'upperAscii', 'trim', 'indexOf', 'lastIndexOf', 'substring'],
    ['getFullYear', 'getMonth', 'getDate', 'getDayOfMonth', 'getDayOfWeek', 'getDayOfYear'],
    ['getHours', 'getMinutes', 'getSeconds', 'getMilliseconds'],
  ].flat(),
);

/** Loads CEL and gives what compiles expressions; compiling throws ExpressionError for what is not CEL or does not give what is expected. */
export async function expressionCompiler<Variables extends object>(
  types: VariableTypes<Variables>,
  { functions = {}, isMixed = false }: ExpressionOptions = {},
): Promise<(text: string, expected: Expected) => Expression<Variables>> {
  const { Environment } = await import('@marcbachmann/cel-js');
  const environment = new Environment({ limits, homogeneousAggregateLiterals: !isMixed });
  const known = Object.entries<string>(types);
  for (const [name, type] of known) environment.registerVariable(name, type);
  for (const [signature, work] of Object.entries(functions)) environment.registerFunction(signature, work);
  const names = known.map(([name]) => name);
  return (text, { what, type: wanted, means }) => {
    const where: Where = { text, what, names };
    const program = explained(where, () => environment.parse(text));
    const { valid, type = 'dyn', error } = program.check();
    if (!valid) throw problemOf(where, error);
    // Of a list CEL also says what is in it.
    if (wanted !== undefined && type !== 'dyn' && type.replace(/<.*$/s, '') !== wanted)
      throw new ExpressionError(`gives ${type}: expected a ${what} that is ${means}`);
    const evaluate = isLinear(program.ast) ? program : limited(program);
    return (variables) => explained(where, () => evaluate({ ...variables }) as unknown);
  };
}

interface Where {
  readonly text: string;
  readonly what: string;
  /** Of the variables. */
  readonly names: readonly string[];
}

/** The node functions and macros are called by name; everything else in CEL takes a time that grows with its operands. */
function isLinear({ op, args }: ASTNode): boolean {
  if (op === 'call' && !linear.has(args[0])) return false;
  if (op === 'rcall' && !linear.has(args[0])) return false;
  return nodesIn(args).every(isLinear);
}

function nodesIn(value: unknown): ASTNode[] {
  if (Array.isArray(value)) return value.flatMap(nodesIn);
  return typeof value === 'object' && value !== null && 'op' in value ? [value as ASTNode] : [];
}

/** Ends loops and regular expressions alike: the engine stops whatever the script has called. */
function limited<A, R>(work: (argument: A) => R): (argument: A) => R {
  const script = new Script('run()');
  const sandbox: { run?: () => R } = {};
  const context = createContext(sandbox);
  return (argument) => {
    sandbox.run = () => work(argument);
    try {
      return script.runInContext(context, { timeout: maxMs }) as R;
    } finally {
      delete sandbox.run;
    }
  };
}

function explained<R>(where: Where, work: () => R): R {
  try {
    return work();
  } catch (error) {
    throw problemOf(where, error);
  }
}

/** Errors of the library have a summary and a place; its message draws the expression over several lines. */
function problemOf({ text, what, names }: Where, error: unknown): ExpressionError {
  const { code, summary, range, message } = error as {
    readonly code?: string;
    readonly summary?: string;
    readonly range?: { readonly start: number };
    readonly message?: string;
  };
  if (code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return new ExpressionError(`took longer than ${maxMs} ms and was stopped`, { cause: error });
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
