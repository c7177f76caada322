import { execFileSync } from 'node:child_process';

/** What a Python script prints as JSON; it reads `input` from standard input. */
export function python(script: string, input: string): unknown {
  return JSON.parse(execFileSync('python3', ['-c', script], { input, encoding: 'utf8' }));
}
