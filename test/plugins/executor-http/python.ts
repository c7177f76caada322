import { execFileSync } from 'node:child_process';
import { pythonProgram } from '../../support/python.ts';

/** Runs a Python script that reads `input` from standard input, and returns the JSON that it prints. */
export function python(script: string, input: string): unknown {
  return JSON.parse(execFileSync(pythonProgram(), ['-c', script], { input, encoding: 'utf8' }));
}
