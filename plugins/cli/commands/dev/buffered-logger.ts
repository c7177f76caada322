import { createLogger, type Logger, type LogMeta, withFormatOf } from '../../../../kernel/index.ts';

type Level = keyof Logger;

/** Logger that can hold lines back, so that those which are printed in another form can be left out. */
export class BufferedLogger {
  #buffer: { readonly level: Level; readonly message: string; readonly meta: LogMeta | undefined }[] | undefined = [];
  #target: Logger | undefined;

  /** Wraps the target. Holds lines back from the beginning. */
  wrap(target: Logger = createLogger()): Logger {
    this.#target = target;
    const log =
      (level: Level): Logger[Level] =>
      (message, meta) => {
        if (this.#buffer === undefined || level === 'debug') target[level](message, meta);
        else this.#buffer.push({ level, message, meta });
      };
    return withFormatOf({ error: log('error'), warn: log('warn'), info: log('info'), debug: target.debug }, target);
  }

  hold(): void {
    this.#buffer ??= [];
  }

  /** Logs the lines held back, except these messages. */
  release(except: ReadonlySet<string>): void {
    const buffered = this.#buffer ?? [];
    this.#buffer = undefined;
    for (const { level, message, meta } of buffered) if (!except.has(message)) this.#target?.[level](message, meta);
  }
}
