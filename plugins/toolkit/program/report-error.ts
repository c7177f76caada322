import { CommanderError } from 'commander';
import { messageOf, outOfDescriptorsError, sentence, ToolkitError } from '../../../kernel/index.ts';
import { terminalLines } from '../../shared/text/visible-text.ts';
import type { StandardError } from './standard-error/standard-error.ts';

/** Exit codes: 0 done, 1 failed, 2 used wrongly. */
export type ExitCode = 0 | 1 | 2;

/** Says on standard error what went wrong, and what it means for the exit code. Messages quote what others wrote: it must not
 * steer the terminal. Stack traces are shown only where they are asked for. */
export function reportError(thrown: unknown, isDebug: boolean, errors: StandardError): ExitCode {
  const error = outOfDescriptorsError(thrown) ?? thrown;
  // Commander has said what is wrong.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const code = ToolkitError.is(error) ? { code: error.code } : {};
  const message = ToolkitError.is(error)
    ? error.message
    : `${sentence(messageOf(error))}${isDebug ? '' : ' This is a defect: --debug shows where.'}`;
  const stack = isDebug ? { stack: stackOf(error) } : {};
  const text = `toolkit: ${ToolkitError.is(error) ? `${error.code}: ` : ''}${message}\n${stack.stack ?? ''}`;
  errors.report('error', terminalLines(text), { message, meta: { ...code, ...stack } });
  return ToolkitError.is(error) && error.code === 'INVALID_PARAMETERS' ? 2 : 1;
}

/** The stack of the error and of what caused it. */
function stackOf(error: unknown): string {
  const stacks: string[] = [];
  for (let at = error; at instanceof Error && stacks.length < 10; at = at.cause) stacks.push(at.stack ?? String(at));
  return `${stacks.join('\ncaused by ')}\n`;
}
