import { isoDate } from './iso-date.ts';

export interface Tag {
  readonly name: string;
  /** Null for tags of very old git versions, which have no tagger. */
  readonly tagger: string | null;
  readonly email: string | null;
  readonly date: string | null;
  readonly message: string;
}

/** Parses an annotated tag of `git cat-file tag`: headers, an empty line, the message. */
export function tagOf(text: string): Tag {
  const end = text.indexOf('\n\n');
  const headers = end < 0 ? text : text.slice(0, end);
  const header = (name: string): string => new RegExp(`^${name} (.*)$`, 'm').exec(headers)?.[1] ?? '';
  const [, tagger, email, seconds = '', offset = ''] = /^(.*?) ?<(.*)> (\d+) ([+-]\d{4})$/.exec(header('tagger')) ?? [];
  return {
    name: header('tag'),
    tagger: tagger ?? null,
    email: email ?? null,
    date: isoDate(seconds, offset),
    message: end < 0 ? '' : text.slice(end + 2).replace(/\n+$/, ''),
  };
}
