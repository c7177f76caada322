import type { Logger, LogMeta } from '../../log/logger.ts';
import { formatProblem, type Problem } from '../schema/problem.ts';

/** Maximum number of problems of one discovery with a line each. */
const maxLines = 50;

/** Maximum number of invalid files that are named. */
const maxNamed = 3;

/** A log line about definitions. */
export interface ProblemLine {
  readonly severity: Problem['severity'];
  readonly message: string;
  readonly meta: LogMeta;
}

/**
 * Returns log lines for the problems of a discovery: one for all invalid files, because `toolkit validate` shows the details, and one for each other
 * problem. With more than 50, errors come first, and a line has the number of the others.
 */
export function problemLines(problems: readonly Problem[]): readonly ProblemLine[] {
  const files = brokenFiles(problems);
  const others = problems.filter((problem) => !isOfBrokenFile(problem));
  const isFolded = others.length > maxLines;
  const inOrder = isFolded ? others.toSorted((a, b) => Number(a.severity === 'warning') - Number(b.severity === 'warning')) : others;
  const lines = inOrder.slice(0, maxLines).map(lineOf);
  const [first] = inOrder.slice(maxLines);
  const errors = others.filter(({ severity }) => severity === 'error').length;
  return [
    ...(files.size === 0 ? [] : [brokenLine(files)]),
    ...lines,
    ...(first === undefined
      ? []
      : [
          {
            severity: first.severity,
            message: `and ${others.length - maxLines} more problems of definitions. ${advice}`,
            meta: { errors, warnings: others.length - errors },
          },
        ]),
  ];
}

/** Logs the problems; at level debug, all of them. */
export function logProblems(problems: readonly Problem[], logger: Logger): void {
  for (const { severity, message, meta } of problemLines(problems)) (severity === 'error' ? logger.error : logger.warn)(message, meta);
  for (const problem of problems) logger.debug(formatProblem(problem), { code: problem.code });
}

const advice = '"toolkit validate" names them all';

/** True for a problem of an invalid file. A name that is already taken is not one. */
function isOfBrokenFile({ severity, code, file }: Problem): boolean {
  return severity === 'error' && code !== 'TOOL_DUPLICATE' && file !== undefined;
}

function brokenFiles(problems: readonly Problem[]): ReadonlyMap<string, readonly Problem[]> {
  const files = new Map<string, Problem[]>();
  for (const problem of problems.filter(isOfBrokenFile)) files.set(problem.file ?? '', [...(files.get(problem.file ?? '') ?? []), problem]);
  return files;
}

function lineOf(problem: Problem): ProblemLine {
  return { severity: problem.severity, message: formatProblem(problem), meta: { code: problem.code } };
}

function brokenLine(files: ReadonlyMap<string, readonly Problem[]>): ProblemLine {
  const [[first, ...others] = []] = files.values();
  const names = [...files.keys()];
  if (names.length === 1 && first !== undefined) {
    const more = others.length === 0 ? '' : ` (and ${others.length} more in this file: ${advice})`;
    return { ...lineOf(first), message: formatProblem(first) + more };
  }
  const shown = names.slice(0, maxNamed).join(', ');
  const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : '';
  return {
    severity: 'error',
    message: `${names.length} definition files are broken and not used: ${shown}${more}. "toolkit validate" says what is wrong with them`,
    meta: { code: 'TOOL_INVALID', files: names.length },
  };
}
