import type { FailureCode, ToolContext } from './context.ts';

/** Reason to refuse or end a call; its message is for the caller. */
export class Failure extends Error {
  readonly code: FailureCode;

  constructor(code: FailureCode, message: string) {
    super(message);
    this.name = 'Failure';
    this.code = code;
  }
}

/** Runs the work of a tool and converts its errors to toolkit errors; an unexpected one is prefixed with `doing`. */
export async function withFailures<Result>(context: ToolContext, doing: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Failure) throw context.error(error.code, error.message);
    // Already converted in a child process.
    if (error instanceof Error && error.name === 'ToolkitError') throw error;
    throw context.error('EXECUTION_FAILED', `${doing} failed: ${excerpt(error instanceof Error ? error.message : String(error))}`);
  }
}

/** Returns at most 200 characters of foreign text, on one line. */
export function excerpt(text: string, max = 200): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= max ? line : `${line.slice(0, max - 1)}…`;
}
