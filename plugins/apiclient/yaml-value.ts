import path from 'node:path';
import { isPlainObject } from '../../kernel/index.ts';
import { overLimit } from '../shared/definition-files/text-limits.ts';
import { exitReason } from '../shared/process/exit-reason.ts';
import { findReadablePaths, limitedNode } from '../shared/process/limited-node.ts';
import { packageFolder } from '../shared/process/package-folder.ts';
import { minimalEnvironment, runProgram } from '../shared/process/program.ts';
import { codeRoot } from '../shared/project/layout.ts';
import { operationError } from './operation-error.ts';

/** Maximum length of a text that is parsed here, in characters: parsing it takes milliseconds, less than starting a process. */
const maxInline = 16 * 1024;

/** Memory limits of the reading process, in MB: for the values of a long text, and for everything else. */
const limits = { heapMb: 512, nativeMb: 150 };

/** Maximum output of the reading process, in bytes: more than any specification needs as JSON. */
const maxOutputBytes = 256 * 1024 * 1024;

/**
 * Parses a YAML text, with integers beyond 2^53 as texts. A text that is long, or deeper than definitions may be, is parsed in a process of its own,
 * because parsing may exhaust memory. Throws an Error with the problem, or the reason of the signal.
 */
export async function yamlValue(text: string, signal: AbortSignal): Promise<unknown> {
  if (text.length <= maxInline && overLimit(text) === undefined)
    return withoutBigints((await import('yaml')).parse(text, { logLevel: 'error', intAsBigInt: true }));
  const folder = path.join(codeRoot(), 'plugins', 'apiclient');
  const reader = path.join(folder, 'yaml-reader.cjs');
  const library = packageFolder('yaml', reader);
  const reads = findReadablePaths(library === undefined ? [folder] : [folder, library]);
  const { program, args } = limitedNode(reader, { ...limits, reads });
  const result = await runProgram(program, args, { env: minimalEnvironment(), stdin: text, signal, maxOutputBytes });
  if (result.exitCode !== 0 || result.truncated) throw operationError(exitReason(result));
  // Own text: written by yaml-reader.cjs, integers beyond 2^53 as texts.
  const { value, problem } = JSON.parse(result.stdout.toString()) as { readonly value?: unknown; readonly problem?: string };
  if (problem !== undefined) throw operationError(problem);
  return value;
}

/** Replaces integers beyond 2^53 by texts, in place. The value may contain itself, through an anchor. */
function withoutBigints(value: unknown, seen: Set<unknown> = new Set()): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (!(Array.isArray(value) || isPlainObject(value)) || seen.has(value)) return value;
  seen.add(value);
  const members = value as Record<string, unknown>;
  for (const [key, member] of Object.entries(members)) members[key] = withoutBigints(member, seen);
  return value;
}
