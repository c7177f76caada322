import path from 'node:path';
import { overLimit } from '../shared/definition-files/text-limits.ts';
import { codePlaces, limitedNode } from '../shared/process/limited-node.ts';
import { minimalEnvironment, runProgram } from '../shared/process/program.ts';
import { codeRoot } from '../shared/project/layout.ts';
import { failed } from './failed.ts';

/** Characters that take a few milliseconds, less than the start of a process. */
const maxInline = 16 * 1024;

/** Values of a long text, and everything else that reading it takes, in MB. */
const limits = { heapMb: 512, nativeMb: 150 };

/** More than the values of any specification have, as JSON. */
const maxOutputBytes = 256 * 1024 * 1024;

/**
 * Returns the value of a YAML text. One that is long, or deeper than definitions may be, is read in a process of its own, which it can end. Throws an
 * Error that says what is wrong, and the reason of the signal.
 */
export async function yamlValue(text: string, signal: AbortSignal): Promise<unknown> {
  if (text.length <= maxInline && overLimit(text) === undefined) return (await import('yaml')).parse(text, { logLevel: 'error' });
  const folder = path.join(codeRoot(), 'plugins', 'apiclient');
  const { program, args } = limitedNode(path.join(folder, 'yaml-reader.cjs'), { ...limits, reads: codePlaces([folder]) });
  const { exitCode, stdout } = await runProgram(program, args, { env: minimalEnvironment(), stdin: text, signal, maxOutputBytes });
  if (exitCode !== 0) throw failed('reading it took more memory or depth than there is');
  // own text: printed by a program of ours
  const { value, problem } = JSON.parse(stdout.toString()) as { readonly value?: unknown; readonly problem?: string };
  if (problem !== undefined) throw failed(problem);
  return value;
}
