import { excerpt, messageOf, ToolkitError } from '../../kernel/index.ts';

/**
 * Returns the error of a trail that cannot be written. `problem` is a clause without paths, because callers see it; `advice` is a sentence for
 * the operator, printed in the log only.
 */
export function trailError(file: string, problem: string, advice: string, cause?: unknown): ToolkitError {
  return new ToolkitError(
    'PLUGIN_FAILED',
    `The audit trail "${file}" cannot be written: ${problem}. ${advice}`,
    { plugin: 'audit-trail', file, problem },
    { cause },
  );
}

/** Converts an error of the file system. */
export function asTrailError(file: string, thrown: unknown): ToolkitError {
  if (ToolkitError.is(thrown)) return thrown;
  // Node writes `ENOSPC: no space left on device, write`, and paths after the comma.
  const [problem = ''] = messageOf(thrown).split(', ');
  return trailError(file, excerpt(problem), 'Correct that; the trail then continues by itself.', thrown);
}

export function problemOf(error: ToolkitError): string {
  return String(error.details['problem'] ?? error.code);
}

export function isErrno(error: unknown, code: string): boolean {
  return (error as NodeJS.ErrnoException | undefined)?.code === code;
}
