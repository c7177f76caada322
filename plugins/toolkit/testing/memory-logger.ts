import type { Logger, LogMeta } from '../../../kernel/index.ts';

export interface LogRecord {
  readonly level: keyof Logger;
  readonly message: string;
  readonly meta?: LogMeta;
}

/** Returns a logger that collects its records. */
export function memoryLogger(): Logger & { readonly records: readonly LogRecord[] } {
  const records: LogRecord[] = [];
  const record = (level: keyof Logger) => (message: string, meta?: LogMeta) =>
    void records.push({ level, message, ...(meta === undefined ? {} : { meta }) });
  return { records, error: record('error'), warn: record('warn'), info: record('info'), debug: record('debug') };
}
