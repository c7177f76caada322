import { createContext, Script } from 'node:vm';
import type { ASTNode } from '@marcbachmann/cel-js';

/** By name, the type in CEL of each value that conditions may use. One that is absent in a call is unknown: a condition that needs it cannot be evaluated. */
export type VariableTypes<Variables> = Readonly<Record<keyof Variables, string>>;

/** Throws when it cannot be evaluated: a missing field, a mismatch of types, a result that is not true or false, too long a run. */
export type Condition<Variables> = (variables: Variables) => boolean;

/** What is wrong with a condition, with its place in the text. The message may hold values of the call when it is thrown by one. */
export class ConditionError extends Error {}

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

/** Loads CEL and gives what compiles conditions; compiling throws ConditionError for what is not CEL or does not give a bool. */
export async function conditionCompiler<Variables extends object>(
  types: VariableTypes<Variables>,
): Promise<(text: string) => Condition<Variables>> {
  const { Environment } = await import('@marcbachmann/cel-js');
  const environment = new Environment({ limits });
  const known = Object.entries<string>(types);
  for (const [name, type] of known) environment.registerVariable(name, type);
  const names = known.map(([name]) => name);
  return (text) => {
    const program = explained(text, names, () => environment.parse(text));
    const { valid, type, error } = program.check();
    if (!valid) throw problemOf(text, names, error);
    if (type !== 'bool' && type !== 'dyn') throw new ConditionError(`gives ${type}: expected a condition that is true or false`);
    const evaluate = isLinear(program.ast) ? program : limited(program);
    return (variables) => {
      const result: unknown = explained(text, names, () => evaluate({ ...variables }));
      if (typeof result !== 'boolean') throw new ConditionError(`gave a ${typeof result}: expected true or false`);
      return result;
    };
  };
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

function explained<R>(text: string, names: readonly string[], work: () => R): R {
  try {
    return work();
  } catch (error) {
    throw problemOf(text, names, error);
  }
}

/** Errors of the library have a summary and a place; its message draws the expression over several lines. */
function problemOf(text: string, names: readonly string[], error: unknown): ConditionError {
  const { code, summary, range, message } = error as {
    readonly code?: string;
    readonly summary?: string;
    readonly range?: { readonly start: number };
    readonly message?: string;
  };
  if (code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return new ConditionError(`took longer than ${maxMs} ms and was stopped`, { cause: error });
  const known = code === 'unknown_variable' ? `. Variables are ${names.join(', ')}` : '';
  return new ConditionError(`${summary ?? message ?? String(error)}${range === undefined ? '' : placeIn(text, range.start)}${known}`, {
    cause: error,
  });
}

function placeIn(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  const column = (before.at(-1)?.length ?? 0) + 1;
  return before.length === 1 ? ` (at column ${column} of the condition)` : ` (at line ${before.length}, column ${column} of the condition)`;
}
