import { CommanderError } from 'commander';
import { messageOf, outOfDescriptorsError, sentence, ToolkitError } from '../../../kernel/index.ts';
import { terminalLines } from '../../shared/text/visible-text.ts';
import type { StandardError } from './standard-error/standard-error.ts';

/** Exit codes: 0 success, 1 failure, 2 usage error; commands may set others, such as those of `toolkit doctor --tools`. */
export type ExitCode = number;

/**
 * Prints the error on standard error, and returns the exit code. Messages quote foreign text, which must not control the terminal. Stack traces are printed
 * only with `isDebug`.
 */
export function reportError(thrown: unknown, isDebug: boolean, errors: StandardError): ExitCode {
  const error = outOfDescriptorsError(thrown) ?? thrown;
  // Commander has printed the message.
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

/** Returns the stack of the error and of its causes. */
function stackOf(error: unknown): string {
  const stacks: string[] = [];
  for (let at = error; at instanceof Error && stacks.length < 10; at = at.cause) stacks.push(at.stack ?? String(at));
  return `${stacks.join('\ncaused by ')}\n`;
}
