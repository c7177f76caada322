import { excerpt, outOfDescriptorsError, ToolkitError } from '../../../kernel/index.ts';

/** The way a child process ended. */
export interface ChildEnd {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly error: Error | undefined;
  /** The end of its standard error, masked. */
  readonly printed: string;
}

/** Thrown where no child process can be started: it ended before it had read anything. A thread does the work then. */
export class NoChild extends Error {
  override readonly name = 'NoChild';

  constructor(end: ChildEnd) {
    super(describeEnd(end), { cause: end.error });
  }
}

interface FailedCall {
  readonly tool: string;
  readonly file: string;
  readonly heapMb: number;
  readonly nativeMb: number;
}

/** Makes the error of a call whose child process ended during the call. */
export function childEndError(end: ChildEnd, { tool, file, heapMb, nativeMb }: FailedCall): ToolkitError {
  const descriptorError = outOfDescriptorsError(end.error);
  if (descriptorError !== undefined) return descriptorError;
  const isOutOfMemory = /out of memory|Allocation failed|bad_alloc|stack overflow/i.test(end.printed) || end.signal !== null;
  const advice = isOutOfMemory
    ? `A child process may use ${heapMb} MB of JavaScript heap and ${nativeMb} MB of other memory, and nesting is limited: pass less or simpler data.`
    : 'Call it with other parameters.';
  const message = `The child process that ran "${tool}" ended in the middle of the call (${describeEnd(end)}). ${advice} No other call was affected, and the next one gets a new process.`;
  return new ToolkitError('EXECUTION_FAILED', message, { tool, file });
}

function describeEnd({ exitCode, signal, error, printed }: ChildEnd): string {
  const exitText = signal ?? (exitCode === null ? undefined : (signalByExitCode[exitCode] ?? `exit code ${exitCode}`));
  const fatal = /^(?:#\s*)?(?:FATAL ERROR: .*|Fatal (?:error|JavaScript|process).*|.*Error: .*)$/m.exec(printed)?.[0];
  const detail = error?.message ?? fatal ?? printed.trim().split('\n').at(-1) ?? '';
  return [exitText, excerpt(detail.trim(), 120)].filter((part) => part !== undefined && part !== '').join(': ') || 'no reason was given';
}

const signalByExitCode: Readonly<Record<number, string>> = { 133: 'SIGTRAP', 134: 'SIGABRT', 137: 'SIGKILL', 139: 'SIGSEGV' };
