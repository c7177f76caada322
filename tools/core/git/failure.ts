import { excerpt, type Issue, ToolkitError } from '../../../kernel/index.ts';
import type { ProgramRun } from '../../../plugins/executor-command/index.ts';
import { maskCredentials } from './mask-credentials.ts';

type Failure = Pick<ProgramRun, 'stderr' | 'exitCode'> & { readonly parameters: Readonly<Record<string, unknown>> };

interface Cause {
  readonly pattern: RegExp;
  /** Names of the parameters that may cause the failure. */
  readonly parameters: readonly string[];
  readonly expected: string;
  /** Error code. @default 'INVALID_PARAMETERS' */
  readonly code?: 'INVALID_PARAMETERS' | 'NOT_FOUND';
  /** True when the rule applies only if git's message contains the value. */
  readonly named?: true;
}

const revisions = ['revision', 'from', 'to', 'object', 'source', 'start_point', 'branch'];
const revision = 'a branch, tag or commit hash of the repository';
const paths = ['path', 'paths'];

const causes: readonly Cause[] = [
  {
    parameters: paths,
    pattern: /is outside repository|outside the repository/,
    expected: 'a path inside the repository, relative to its top folder',
  },
  { parameters: paths, pattern: /is beyond a symbolic link/, expected: 'a path that leads through no symbolic link' },
  { parameters: paths, pattern: /is in submodule/, expected: 'a path of the repository itself, not of a submodule' },
  { parameters: paths, pattern: /did not match any file|no such path/, expected: 'a path at which git finds a file', code: 'NOT_FOUND' },
  { parameters: ['start_point'], pattern: /not a valid branch point|is a (blob|tree), not a commit/, expected: revision },
  {
    parameters: revisions,
    pattern:
      /bad revision|unknown revision|ambiguous argument|unable to resolve|Needed a single revision|not a valid object name|could not resolve|invalid reference|Not a valid/,
    expected: `${revision}, or a range of them where the tool takes one`,
  },
  { parameters: revisions, pattern: /bad object/, expected: revision, named: true },
];

interface Advice {
  readonly pattern: RegExp;
  readonly advice: string;
}

const advices: readonly Advice[] = [
  {
    pattern: /\.lock': File exists/,
    advice:
      'Another git process works in the repository, or one was stopped before it ended: wait for it, or remove the lock file that git names',
  },
  {
    pattern: /promisor remote|lazy fetching disabled|transport '\w+' not allowed/,
    advice: 'The repository is a partial clone and lacks the requested objects. This tool does not fetch them; git in a terminal does',
  },
  { pattern: /No space left|Disk quota exceeded/, advice: 'Make room on the disk' },
];

/** Converts the message with which git failed to an error: one that names the parameter at fault, else EXECUTION_FAILED. */
export function gitFailure({ stderr, exitCode, parameters }: Failure): ToolkitError {
  for (const { pattern, parameters: names, expected, code, named } of causes) {
    const received = pattern.test(stderr) ? blamed(stderr, names, parameters, named) : undefined;
    if (received !== undefined) return wrongParameter(received.name, `expected ${expected}, received "${excerpt(received.value)}"`, code);
  }
  const advice = advices.find(({ pattern }) => pattern.test(stderr))?.advice;
  const words = `git failed: ${excerpt(maskCredentials(stderr)) || 'it said nothing'}`;
  return new ToolkitError('EXECUTION_FAILED', advice === undefined ? words : `${words} ${advice}.`, { exitCode });
}

/** Returns an error about the value of one parameter. `message` begins with "expected". */
export function wrongParameter(
  path: string,
  message: string,
  code: 'INVALID_PARAMETERS' | 'NOT_FOUND' = 'INVALID_PARAMETERS',
): ToolkitError {
  const issue: Issue = { path, message };
  return new ToolkitError(code, `Parameter "${path}": ${message}.`, { issues: [issue] });
}

/** Returns the given parameter whose value is in git's message, else the first one given. */
function blamed(
  stderr: string,
  names: readonly string[],
  parameters: Failure['parameters'],
  named: true | undefined,
): { readonly name: string; readonly value: string } | undefined {
  const given = names.flatMap((name) => [parameters[name]].flat().flatMap((value) => (typeof value === 'string' ? [{ name, value }] : [])));
  const found = given.find(({ value }) => value !== 'HEAD' && stderr.includes(value));
  return found ?? (named ? undefined : given[0]);
}
