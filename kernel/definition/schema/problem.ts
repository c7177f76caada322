import { type ErrorCode, type Issue, ToolkitError } from '../../errors.ts';

/** A position in a file, 1-based. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Returns the position of a JSON pointer (RFC 6901) in a file, or of its nearest existing ancestor. */
export type Locate = (pointer: string) => Position | undefined;

/** A problem of a definition. A definition with an error is not used; one with a warning is. */
export interface Problem {
  readonly severity: 'error' | 'warning';
  readonly code: ErrorCode;
  readonly message: string;
  readonly plugin?: string;
  readonly tool?: string;
  readonly file?: string;
  readonly position?: Position;
  /** The field, such as `parameters.path.type`. */
  readonly path?: string;
}

/** Returns `file:line:column field: message`, as compilers print it. */
export function formatProblem(problem: Problem): string {
  const { file, position, path } = problem;
  const place = file === undefined ? (problem.plugin ?? '') : position === undefined ? file : `${file}:${position.line}:${position.column}`;
  const field = path === undefined || path === '' ? '' : `${path}: `;
  return `${place === '' ? '' : `${place} `}${field}${problem.message}`;
}

export function problemOf(issue: Issue, rest: Pick<Problem, 'severity' | 'code'> & Partial<Problem>, locate?: Locate): Problem {
  const position = locate?.(issue.pointer ?? '');
  const { severity = rest.severity } = issue;
  return { ...rest, severity, path: issue.path, message: issue.message, ...(position === undefined ? {} : { position }) };
}

export function errorOf(problem: Problem): ToolkitError {
  const { code, tool, plugin, file, path } = problem;
  return new ToolkitError(code, formatProblem(problem), {
    ...(tool === undefined ? {} : { tool }),
    ...(plugin === undefined ? {} : { plugin }),
    ...(file === undefined ? {} : { file }),
    ...(path === undefined ? {} : { issues: [{ path, message: problem.message }] }),
  });
}

/** Makes the error of an issue in a definition. */
export function problemIn(
  { plugin, file, locate }: { readonly plugin: string; readonly file?: string; readonly locate?: Locate },
  issue: Issue,
): Problem {
  return problemOf(issue, { severity: 'error', code: 'TOOL_INVALID', plugin, ...(file === undefined ? {} : { file }) }, locate);
}
