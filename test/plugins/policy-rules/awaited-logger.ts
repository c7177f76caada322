import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import type { Logger } from './policed.ts';

/** A logger that keeps its records; `next` resolves with the next one that holds the text. */
export function awaitedLogger(text: string): { readonly logger: Logger; next(wanted?: string): Promise<void> } {
  const memory = memoryLogger();
  const waiting: { wanted: string; found: () => void }[] = [];
  const tell =
    (level: 'error' | 'warn' | 'info' | 'debug'): Logger[typeof level] =>
    (message, meta) => {
      memory[level](message, meta);
      for (const { wanted, found } of waiting) if (message.includes(wanted)) found();
    };
  const logger = { records: memory.records, error: tell('error'), warn: tell('warn'), info: tell('info'), debug: tell('debug') };
  return { logger, next: (wanted = text) => new Promise((found) => void waiting.push({ wanted, found })) };
}
