import { type ErrorCode, excerpt, ToolkitError } from '../../../kernel/index.ts';
import type { ProgramRun } from '../../../plugins/executor-command/index.ts';
import { gitFailure, wrongParameter } from './failure.ts';
import { maskCredentials } from './mask-credentials.ts';

type Failure = Pick<ProgramRun, 'stderr' | 'exitCode'> & { readonly parameters: Readonly<Record<string, unknown>> };

interface Cause {
  readonly pattern: RegExp;
  readonly code: ErrorCode;
  readonly advice: string;
}

const login =
  'Log in to the remote once in a terminal, with a credential helper or an SSH key that asks for nothing: this tool uses what is stored and cannot ask';

const causes: readonly Cause[] = [
  {
    pattern: /terminal prompts disabled|could not read (Username|Password)|Authentication failed|Permission denied \(/,
    code: 'AUTH_FAILED',
    advice: login,
  },
  { pattern: /returned error: 401|error: 401/, code: 'AUTH_FAILED', advice: login },
  { pattern: /returned error: 403/, code: 'INSUFFICIENT_SCOPE', advice: 'The login that is stored for the remote may not do this' },
  {
    pattern: /Host key verification failed/,
    code: 'EXECUTION_FAILED',
    advice: 'The host is not known yet, or its key has changed: connect to it once in a terminal and check the key',
  },
  {
    pattern: /transport '[^']*' not allowed/,
    code: 'OUTBOUND_BLOCKED',
    advice: 'The remote led to a protocol other than that of its URL',
  },
  {
    pattern: /returned error: 404|repository '.*' not found|does not appear to be a git repository|info\/refs not valid/i,
    code: 'NOT_FOUND',
    advice: 'Check the URL of the remote, and whether the stored login may see it',
  },
  {
    pattern:
      /Could not resolve|Failed to connect|Couldn't connect|Connection (refused|reset|timed out)|returned error: (429|5\d\d)|Operation (too slow|timed out)|Network is unreachable|unable to access|early EOF|hung up|SSL/i,
    code: 'UPSTREAM_UNAVAILABLE',
    advice: 'Check the URL of the remote and the network, or try again later',
  },
];

/** Converts the message of a failed fetch or push to an error with the code of the network problem. */
export function networkFailure({ stderr, exitCode, parameters }: Failure): ToolkitError {
  const missing = /couldn't find remote ref (\S+)/i.exec(stderr)?.[1];
  if (missing !== undefined) {
    const name = excerpt(missing.replace('refs/heads/', ''));
    return wrongParameter(
      'branch',
      `expected a branch that the remote has, but it has no "${name}". git_fetch, then git_list_branches with remote, show those that there are`,
      'NOT_FOUND',
    );
  }
  const cause = causes.find(({ pattern }) => pattern.test(stderr));
  if (cause === undefined) return gitFailure({ stderr, exitCode, parameters });
  const message = `The remote "${excerpt(String(parameters['remote']))}" could not be used: ${excerpt(maskCredentials(stderr))} ${cause.advice}.`;
  return new ToolkitError(cause.code, message, { exitCode });
}
