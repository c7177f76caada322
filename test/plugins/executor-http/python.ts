import { execFileSync } from 'node:child_process';
import { pythonProgram } from '../../support/python.ts';

/** What a Python script prints as JSON; it reads `input` from standard input. */
export function python(script: string, input: string): unknown {
  return JSON.parse(execFileSync(pythonProgram(), ['-c', script], { input, encoding: 'utf8' }));
}
