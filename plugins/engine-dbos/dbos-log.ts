import type { DLogger } from '@dbos-inc/dbos-sdk';
import { excerpt, type Logger } from '../../kernel/index.ts';

/** Time for which a repeated warning is dropped, in milliseconds: without its database DBOS warns at every poll of its queue. */
const repeatIntervalMs = 60_000;

/** Returns a DBOS logger that writes to our log. Failures become warnings: what they mean for a call is reported by the engine. */
export function dbosLog(logger: Logger): DLogger {
  const lastLoggedAt = new Map<string, number>();
  const warn = (entry: unknown): void => {
    const text = excerpt(String(entry));
    const now = performance.now();
    if (now - (lastLoggedAt.get(text) ?? Number.NEGATIVE_INFINITY) < repeatIntervalMs) return;
    if (lastLoggedAt.size > 100) lastLoggedAt.clear();
    lastLoggedAt.set(text, now);
    logger.warn(`DBOS: ${text}`);
  };
  const debug = (entry: unknown): void => logger.debug(`DBOS: ${excerpt(String(entry))}`);
  return { debug, info: debug, warn, error: warn };
}
