import path from 'node:path';
import { type CodeIssue, didYouMean, type Origin, type Position } from '../../../kernel/index.ts';
import { resolveCode } from './code-module.ts';

/** Facts about a code file, found without running it. */
export interface CodeOutline {
  /** Exported names. Absent when only running the file would tell. */
  readonly names?: ReadonlySet<string>;
  /** The syntax error, and its first position. */
  readonly syntaxError?: string;
  readonly position?: Position;
}

/** A key of an execution that names a function, such as `./tool.ts#run`. */
export interface NamedFunction {
  readonly key: string;
  readonly code: string;
  /** Names to try when the reference names none. */
  readonly fallback: readonly string[];
}

/** Returns the issues of a function that a definition names. A missing file is reported elsewhere. */
export async function functionIssues(
  { key, code, fallback }: NamedFunction,
  { directory = '.' }: Pick<Origin, 'directory'>,
  outlineOf: (file: string) => Promise<CodeOutline>,
): Promise<readonly CodeIssue[]> {
  const reference = resolveCode(code, directory);
  if (reference === undefined) return [];
  const { file, exportName } = reference;
  const { syntaxError: flaw, position, names } = await outlineOf(file);
  const at = { path: key, pointer: `/${key}` };
  if (flaw !== undefined)
    return [{ ...at, message: `cannot be parsed: ${flaw}`, place: { file, ...(position === undefined ? {} : { position }) } }];
  const wanted = exportName === undefined ? fallback : [exportName];
  if (names === undefined || wanted.some((name) => names.has(name))) return [];
  const quoted = wanted.map((name) => `"${name}"`).join(' or ');
  const hint = exportName === undefined ? '' : didYouMean(exportName, names);
  return [
    {
      ...at,
      message: `names ${quoted}, which ${path.basename(file)} does not have.${hint} It has ${[...names].join(', ') || 'nothing that others can use'}`,
    },
  ];
}
