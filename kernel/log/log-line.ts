import { freeKey } from './free-key.ts';
import { plainMeta } from './plain-meta.ts';

/** Formats one record as one line without a line break. `time`: `YYYY-MM-DD HH:mm:ss`. */
export type LogLine = (time: string, level: string, message: string, meta: unknown, stacks: boolean) => string;

/**
 * Formats `{"timestamp":…,"level":…,"message":…}` with the metadata as further members. A member with one of these three names gets a leading
 * underscore.
 */
export const jsonLine: LogLine = (time, level, message, meta, stacks) => {
  const record: Record<string, unknown> = { timestamp: time, level, message };
  if (meta === undefined || meta === null) return visible(JSON.stringify(record));
  const own = plainMeta(meta, { stacks });
  if (!Object.keys(record).some((key) => Object.hasOwn(own, key))) return visible(JSON.stringify({ ...record, ...own }));
  const isTaken = (key: string): boolean => Object.hasOwn(record, key) || Object.hasOwn(own, key);
  const renamed = Object.entries(own).map(([key, value]) => [Object.hasOwn(record, key) ? freeKey(key, isTaken) : key, value]);
  return visible(JSON.stringify({ ...record, ...Object.fromEntries(renamed) }));
};

/** Formats `[<time>] [<LEVEL>] <message> <metadata as JSON>`. */
export const simpleLine: LogLine = (time, level, message, meta, stacks) => {
  const own = meta === undefined || meta === null ? {} : plainMeta(meta, { stacks });
  const rest = Object.keys(own).length === 0 ? '' : ` ${JSON.stringify(own)}`;
  return visible(`[${time}] [${level.toUpperCase()}] ${message}${rest}`);
};

/**
 * Characters that break the line, or act on a terminal: controls, line and paragraph separators, format characters such as those for the text
 * direction, lone surrogates. Without the joiners of emoji and some scripts.
 */
const unseen = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

const shortEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Replaces these characters by JSON escapes, so that JSON stays valid. */
function visible(line: string): string {
  return line.replace(unseen, (character) => shortEscapes[character] ?? character.split('').map(escaped).join(''));
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
