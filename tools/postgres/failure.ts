import type { FailureCode } from './context.ts';

/** What went wrong, in the words that the caller gets. Its message and details hold no credential. */
export class Failure extends Error {
  readonly code: FailureCode;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: FailureCode, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.name = 'Failure';
    this.code = code;
    this.details = details;
  }
}

/** At most 200 characters of text that comes from the server, on one line. */
export function excerpt(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= 200 ? line : `${line.slice(0, 199)}…`;
}
