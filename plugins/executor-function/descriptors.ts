import { messageOf, ToolkitError } from '../../kernel/index.ts';

/** True for a failure because this process, or the whole system, has as many files open as it may. */
export function isOutOfDescriptors(error: unknown): boolean {
  return /\b(EMFILE|ENFILE)\b/.test(messageOf(error));
}

/** `what`: such as `A worker thread`. */
export function outOfDescriptors(what: string, file: string, cause: unknown): ToolkitError {
  return new ToolkitError(
    'EXECUTION_FAILED',
    `${what} for ${file} could not start: this process has as many files and connections open as it may (EMFILE). That passes when other calls end, so try again; the operator can raise the limit (ulimit -n, LimitNOFILE of systemd).`,
    { file, reason: 'EMFILE', retryable: true },
    { cause },
  );
}
