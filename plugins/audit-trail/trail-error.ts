import { excerpt, messageOf, ToolkitError } from '../../kernel/index.ts';

/**
 * A trail that cannot be written. `problem` is a clause without paths, because callers are shown it; `advice` is a sentence for the
 * operator, who reads it in the log.
 */
export function trailError(file: string, problem: string, advice: string, cause?: unknown): ToolkitError {
  return new ToolkitError(
    'PLUGIN_FAILED',
    `The audit trail "${file}" cannot be written: ${problem}. ${advice}`,
    { plugin: 'audit-trail', file, problem },
    { cause },
  );
}

/** The same for what the file system threw. */
export function asTrailError(file: string, thrown: unknown): ToolkitError {
  if (ToolkitError.is(thrown)) return thrown;
  // Node writes `ENOSPC: no space left on device, write`, and paths after the comma.
  const [problem = ''] = messageOf(thrown).split(', ');
  return trailError(file, excerpt(problem), 'Correct that; the trail goes on by itself.', thrown);
}

export function problemOf(error: ToolkitError): string {
  return String(error.details['problem'] ?? error.code);
}

export function isErrno(error: unknown, code: string): boolean {
  return (error as NodeJS.ErrnoException | undefined)?.code === code;
}
