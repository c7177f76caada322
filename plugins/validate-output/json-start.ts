import type { JsonValue } from '../../kernel/index.ts';

/** Returns the first `maxCharacters` of the JSON of a value, without serializing more than that. */
export function jsonStart(value: JsonValue, maxCharacters: number): string {
  let text = '';
  const write = (part: JsonValue): void => {
    if (text.length >= maxCharacters) return;
    if (typeof part === 'string') text += JSON.stringify(part.slice(0, maxCharacters));
    else if (typeof part !== 'object' || part === null) text += JSON.stringify(part);
    else if (Array.isArray(part)) writeMembers('[]', part as readonly JsonValue[], write);
    else
      writeMembers('{}', Object.keys(part), (key) => {
        text += `${JSON.stringify(key)}:`;
        write((part as { readonly [key: string]: JsonValue })[key] ?? null);
      });
  };
  const writeMembers = <T>([open, close]: string | readonly string[], members: readonly T[], writeOne: (member: T) => void): void => {
    text += open;
    for (const [index, member] of members.entries()) {
      if (text.length >= maxCharacters) return;
      if (index > 0) text += ',';
      writeOne(member);
    }
    text += close;
  };
  write(value);
  return text.slice(0, maxCharacters).toWellFormed();
}
