import { excerpt, type Logger, messageOf, sentence, ToolkitError } from '../../../kernel/index.ts';
import { namesOf } from './owner-names.ts';
import type { PendingConnect } from './pending-connect.ts';

/** Logs a failed login. Returns the reason, for the person. */
export function reportFailure(logger: Pick<Logger, 'warn'>, { owner }: PendingConnect, error: unknown): string {
  logger.warn(`login by link failed: ${excerpt(messageOf(error))}`, namesOf(owner));
  return ToolkitError.is(error) ? sentence(excerpt(messageOf(error), 600)) : 'An internal error, which is in the log of the server.';
}
