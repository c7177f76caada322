import path from 'node:path';
import { type CodeIssue, didYouMean, type Origin, type Position } from '../../../kernel/index.ts';
import { resolveCode } from './code-module.ts';

/** What a file of code says of itself without being run. */
export interface CodeOutline {
  /** Names that others can use; absent where only running it would tell. */
  readonly names?: ReadonlySet<string>;
  /** Why it cannot be parsed, and where it first goes wrong. */
  readonly flaw?: string;
  readonly position?: Position;
}

/** A key of an execution that names a function, such as `./tool.ts#run`. */
export interface NamedFunction {
  readonly key: string;
  readonly code: string;
  /** Names that are tried when it names none. */
  readonly fallback: readonly string[];
}

/** What is wrong with a function that a definition names. A file that is missing is told elsewhere. */
export async function functionIssues(
  { key, code, fallback }: NamedFunction,
  { directory = '.' }: Pick<Origin, 'directory'>,
  outlineOf: (file: string) => Promise<CodeOutline>,
): Promise<readonly CodeIssue[]> {
  const reference = resolveCode(code, directory);
  if (reference === undefined) return [];
  const { file, exportName } = reference;
  const { flaw, position, names } = await outlineOf(file);
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
