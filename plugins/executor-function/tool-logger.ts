import type { CallContext, Logger, LogMeta } from '../../kernel/index.ts';

/** The log of a function: its lines go to the log of the server and to the client that made the call. */
export function toolLogger({ logger, client }: CallContext): Logger {
  const both = (level: keyof Logger) => (message: string, meta?: LogMeta) => {
    logger[level](message, meta);
    client.log?.(level, message, meta);
  };
  return { error: both('error'), warn: both('warn'), info: both('info'), debug: both('debug') };
}
