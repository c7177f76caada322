import { execFileSync } from 'node:child_process';

let interpreter: string | undefined;

/** The interpreter itself: what the PATH has may be a script that looks for it anew, every time. */
export function pythonProgram(): string {
  interpreter ??= execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).trim();
  return interpreter;
}

/** Runs a Python 3 program that reads `given` and leaves its answer in `result`, both as JSON. */
export function python<Result = unknown>(program: string, given: unknown = null): Result {
  const whole = [
    'import json, sys',
    // Beyond 4300 digits Python reads and writes no numbers unless it is told to.
    'getattr(sys, "set_int_max_str_digits", lambda digits: None)(0)',
    'given = json.load(sys.stdin)',
    program,
    'print(json.dumps(result))',
  ].join('\n');
  const printed = execFileSync(pythonProgram(), ['-X', 'utf8', '-c', whole], {
    input: JSON.stringify(given),
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  });
  return JSON.parse(printed) as Result;
}

/** Evaluates a Python expression, in which `given` may stand. `definitions` are lines that run before: imports and functions. */
export function pythonValue<Result = unknown>(expression: string, given: unknown = null, definitions = ''): Result {
  return python(`${definitions}\nresult = ${expression}`, given);
}
