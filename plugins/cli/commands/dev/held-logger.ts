import { createLogger, type Logger, type LogMeta, withFormatOf } from '../../../../kernel/index.ts';

type Level = keyof Logger;

/** A logger that can be told to wait, so that what is said in another way is left out. */
export class HeldLogger {
  #held: { readonly level: Level; readonly message: string; readonly meta: LogMeta | undefined }[] | undefined = [];
  #target: Logger | undefined;

  /** Over this logger. It waits from the beginning. */
  over(target: Logger = createLogger()): Logger {
    this.#target = target;
    const log =
      (level: Level): Logger[Level] =>
      (message, meta) => {
        if (this.#held === undefined || level === 'debug') target[level](message, meta);
        else this.#held.push({ level, message, meta });
      };
    return withFormatOf({ error: log('error'), warn: log('warn'), info: log('info'), debug: target.debug }, target);
  }

  hold(): void {
    this.#held ??= [];
  }

  /** Logs what has waited, but these messages. */
  release(but: ReadonlySet<string>): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const { level, message, meta } of held) if (!but.has(message)) this.#target?.[level](message, meta);
  }
}
