import { boundedText, type Masking } from './bounded-text.ts';
import { discard, type Logger, withFormatOf } from './logger.ts';
import { plainMeta, plainText } from './plain-meta.ts';
import { recordLimits } from './record-limits.ts';

/** Returns a logger that masks messages and metadata, and cuts them to the limits of a record. */
export function maskedLogger(logger: Logger, masking: Masking): Logger {
  const stacks = logger.debug !== discard;
  const method = (level: keyof Logger): Logger[typeof level] => {
    if (logger[level] === discard) return discard;
    return (message, meta) => {
      const text = boundedText(plainText(message, masking), recordLimits.text, masking);
      if (meta === undefined || meta === null) logger[level](text);
      else logger[level](text, plainMeta(meta, { masking, stacks }));
    };
  };
  return withFormatOf({ error: method('error'), warn: method('warn'), info: method('info'), debug: method('debug') }, logger);
}
