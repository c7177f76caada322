import { escapedLength, textWithin } from '../shared/output-room/text-within.ts';

/** One text of an output that did not fit, or the part of a list or an object that did not. */
export interface Section {
  /** A pointer into the output (RFC 6901); empty for a text that is the whole output. */
  readonly at: string;
  /**
   * `text`: the whole text. `items`: the items that were not shown, each a line of JSON. `members`: the members that were not
   * shown, each a line `"name": value`. `shown`: the JSON that was shown.
   */
  readonly kind: 'text' | 'items' | 'members' | 'shown';
  readonly text: string;
  /** The characters of a text, or items of a list, that were shown at once. */
  readonly shown: number;
}

/** A piece of a section, in UTF-16 units. */
export interface Slice {
  readonly section: number;
  readonly start: number;
  readonly end: number;
}

/**
 * An output in pages. The first is the part that was shown at once. The others continue it, so that all pages together hold
 * everything once.
 */
export interface Paged {
  readonly sections: readonly Section[];
  readonly pages: readonly (readonly Slice[])[];
}

/** Characters around a slice in JSON, without its pointer. */
const sliceOverhead = 80;

export function pageUri(callId: string, page: number): string {
  return `output://${callId}/${page}`;
}

/**
 * Returns the pages of sections: the first as it was shown (none where nothing was), each other with at most `room` characters
 * as JSON.
 */
export function divideIntoPages(sections: readonly Section[], first: readonly Slice[] | undefined, room: number): Paged {
  const pages: Slice[][] = [];
  let remaining = 0;
  for (const [index, { at, kind, text, shown }] of sections.entries()) {
    if (kind === 'shown') continue;
    for (let start = kind === 'text' ? shown : 0; start < text.length; ) {
      const overhead = sliceOverhead + escapedLength(at);
      // A short piece at the end of a page would only break lines.
      if (pages.length === 0 || remaining - overhead < room / 4) {
        pages.push([]);
        remaining = room;
      }
      const end = endOfPage(text, start, Math.max(2, remaining - overhead));
      remaining -= overhead + escapedLength(text.slice(start, end));
      pages.at(-1)?.push({ section: index, start, end });
      start = end;
    }
  }
  return { sections, pages: first === undefined ? pages : [first, ...pages] };
}

/**
 * Returns the end of a page that begins at `start` and has at most `room` characters as JSON: after a line break if there is
 * one in the second half of the page, and never inside a character.
 */
export function endOfPage(text: string, start: number, room: number): number {
  const { length } = textWithin(text.slice(start, start + room + 1), room);
  const limit = start + Math.max(length, text.codePointAt(start) === undefined ? 0 : 1);
  if (limit >= text.length) return text.length;
  // Searches only the second half: a page without line breaks must not be searched to the start of the text.
  const half = Math.floor(start + length / 2);
  const behindLine = text.slice(half, limit).lastIndexOf('\n') + 1;
  return behindLine > 0 ? half + behindLine : limit;
}

/** A piece of an output as it is read. */
export interface ReadPart {
  readonly at: string;
  /** The characters of the text, or items of the list, before it. */
  readonly from: number;
  readonly text: string;
}

/** Returns the parts of a page, counted from 1; undefined for a page that does not exist. */
export function readPage({ sections, pages }: Paged, page: number): readonly ReadPart[] | undefined {
  return pages[page - 1]?.map(({ section, start, end }) => {
    const { at, kind, text, shown } = sections[section] as Section;
    const before = kind === 'items' ? shown + (text.slice(0, start).match(/\n/g)?.length ?? 0) : start;
    return { at, from: before, text: text.slice(start, end) };
  });
}
