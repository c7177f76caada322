import { createRequire } from 'node:module';
import path from 'node:path';
import { exitReason } from '../../shared/process/exit-reason.ts';
import { findReadablePaths, limitedNode } from '../../shared/process/limited-node.ts';
import { packageFolder } from '../../shared/process/package-folder.ts';
import { minimalEnvironment, runProgram } from '../../shared/process/program.ts';
import { codeRoot } from '../../shared/project/layout.ts';

/** Maximum length of a text that is parsed here, in characters: parsing it takes milliseconds, less than starting a process. */
const maxInline = 16 * 1024;

/** Memory limits of the reading process, in MB. 26 MB of YAML need 1,100. */
const limits = { heapMb: 2048, nativeMb: 300 };

/** Maximum time of the reading process, in milliseconds. 26 MB of YAML take 20 seconds, and twice as long on a busy machine. */
const timeoutMs = 180_000;

/** Maximum output of the reading process, in bytes. */
const maxOutputBytes = 256 * 1024 * 1024;

/** A value of a YAML text, or the problem that leaves none. */
export type YamlAnswer = { readonly json: string; readonly notes: readonly string[] } | { readonly problem: string };

/**
 * Reads a YAML text as JSON, with integers beyond 2^53 as texts. A long text is parsed in a child process, which may die alone: the library
 * takes half a second for a megabyte, and the time and memory that a text takes are its writer's choice. `folder`: that of yaml-reader.cjs.
 */
export async function readYaml(
  text: string,
  signal: AbortSignal = new AbortController().signal,
  folder: string = path.join(codeRoot(), 'plugins', 'openapi', 'document'),
): Promise<YamlAnswer> {
  const reader = path.join(folder, 'yaml-reader.cjs');
  if (text.length <= maxInline) {
    const { answerTo } = createRequire(import.meta.url)(reader) as { readonly answerTo: (text: string) => YamlAnswer };
    return answerTo(text);
  }
  const library = packageFolder('yaml', reader);
  const { program, args } = limitedNode(reader, {
    ...limits,
    reads: findReadablePaths(library === undefined ? [folder] : [folder, library]),
  });
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const result = await runProgram(program, args, {
      env: minimalEnvironment(),
      stdin: text,
      signal: AbortSignal.any([signal, timeout]),
      maxOutputBytes,
    });
    if (result.exitCode !== 0 || result.truncated) return { problem: `${exitReason(result)}. JSON is read without that process` };
    // Own text: written by yaml-reader.cjs.
    return JSON.parse(result.stdout.toString()) as YamlAnswer;
  } catch (error) {
    if (timeout.aborted && !signal.aborted) return { problem: `reading it took longer than ${timeoutMs / 1000} seconds. Give it as JSON` };
    throw error;
  }
}
