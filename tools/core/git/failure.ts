import { excerpt, type Issue, ToolkitError } from '../../../kernel/index.ts';

/** Exit code of git when it gives up: no repository, an unknown revision, a path outside. */
export const fatalExit = 128;

interface Failure {
  readonly stderr: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

const wrongParameters = [
  {
    parameter: 'repository',
    says: /not a git repository|cannot change to/,
    expected: 'the top folder of a Git working tree, which holds .git',
  },
  { parameter: 'repository', says: /cannot use bare repository/, expected: 'the top folder of a Git working tree, not a bare repository' },
  {
    parameter: 'revision',
    says: /bad revision|unknown revision|ambiguous argument/,
    expected: 'a branch, tag or commit hash of the repository, or a range of them',
  },
  { parameter: 'path', says: /is outside repository/, expected: 'a path inside the repository, relative to its top folder' },
] as const;

/** What git said when it gave up, as an error: INVALID_PARAMETERS naming the parameter where one is to blame, else EXECUTION_FAILED. */
export function gitFailure({ stderr, parameters }: Failure): ToolkitError {
  const wrong = wrongParameters.find(({ says }) => says.test(stderr));
  if (wrong === undefined) return new ToolkitError('EXECUTION_FAILED', `git gave up: ${excerpt(stderr)}`, { exitCode: fatalExit });
  const { parameter, expected } = wrong;
  const issue: Issue = { path: parameter, message: `expected ${expected}, received "${excerpt(String(parameters[parameter]))}"` };
  return new ToolkitError('INVALID_PARAMETERS', `Parameter "${parameter}": ${issue.message}.`, { issues: [issue] });
}
