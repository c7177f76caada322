import type { CallContext, Logger, LogMeta } from '../../kernel/index.ts';

/** Returns the logger of a function. Its lines go to the log of the server and to the client of the call. */
export function toolLogger({ logger, client }: CallContext): Logger {
  const both = (level: keyof Logger) => (message: string, meta?: LogMeta) => {
    logger[level](message, meta);
    client.log?.(level, message, meta);
  };
  return { error: both('error'), warn: both('warn'), info: both('info'), debug: both('debug') };
}
