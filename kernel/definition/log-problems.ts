import type { Logger } from '../log/logger.ts';
import { formatProblem, type Problem } from './problem.ts';

/** How many problems of one discovery get a line each. */
const maxLines = 50;

/** Writes what is wrong with definitions to the log; of more than 50 problems the errors first, and how many are left out. */
export function logProblems(problems: readonly Problem[], logger: Logger): void {
  const logOf = ({ severity }: Problem): Logger['error'] => (severity === 'error' ? logger.error : logger.warn);
  const isFolded = problems.length > maxLines;
  const inOrder = isFolded ? problems.toSorted((a, b) => Number(a.severity === 'warning') - Number(b.severity === 'warning')) : problems;
  for (const problem of inOrder.slice(0, maxLines)) logOf(problem)(formatProblem(problem), { code: problem.code });
  const [first] = inOrder.slice(maxLines);
  if (first === undefined) return;
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  logOf(first)(`and ${problems.length - maxLines} more problems of definitions. "toolkit validate" names them all`, {
    errors,
    warnings: problems.length - errors,
  });
}
