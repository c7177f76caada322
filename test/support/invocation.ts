import { PassThrough } from 'node:stream';
import type { CommandInvocation, Terminal } from '../../kernel/index.ts';

/** No terminal: what is printed goes to a program. */
export const noTerminal: Terminal = {
  isTerminal: false,
  isInteractive: false,
  hasColors: false,
  input: new PassThrough().end(),
  error: new PassThrough(),
};

/** Makes the invocation of a command, for a test that calls it directly: by default no flags, no configuration, and no permissions. */
export function invocation(given: Partial<CommandInvocation> = {}): CommandInvocation {
  const never = (what: string) => (): never => {
    throw new Error(`${what} was not expected`);
  };
  return {
    arguments: [],
    flags: {},
    env: {},
    terminal: noTerminal,
    program: ['toolkit'],
    builtIn: [],
    flagNames: () => new Set(),
    createKernel: never('createKernel'),
    serve: never('serve'),
    interrupted: () => new AbortController().signal,
    output: new PassThrough(),
    write: never('write'),
    setExitCode: never('setExitCode'),
    note: never('note'),
    ...given,
  };
}
