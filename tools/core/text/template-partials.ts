import type Mustache from 'mustache';

/** Maximum nesting of partials. */
export const maxPartialDepth = 100;

/**
 * Parses a text with partials by the Mustache specification: a partial that is alone on its line has the white space before it as indentation,
 * and each of its lines gets it. The parser alone would indent other partials too, and would remove the white space of a line of several tags.
 */
export function parseWithPartials(text: string, parse: (text: string) => Mustache.TemplateSpans): Mustache.TemplateSpans {
  const tags = parse(text);
  const ends = setIndentations(tags, text);
  if (ends.length === 0) return tags;
  // After such a tag the parser gets some characters, removed later, so that it sees text on the line.
  const mark = unusedRun(text);
  const parts = [0, ...ends].map((from, index) => text.slice(from, ends[index]));
  const marked = parts.join(mark);
  const markedTags = parse(marked);
  setIndentations(markedTags, marked);
  removeMark(markedTags, mark);
  return markedTags;
}

/** Sets the indentation of each partial tag. Returns the ends of the partial tags that are not alone on their lines. */
function setIndentations(tags: Mustache.TemplateSpans, text: string): readonly number[] {
  return tags.flatMap((tag) => {
    if (tag.length !== 7) return Array.isArray(tag[4]) ? setIndentations(tag[4], text) : [];
    const indentation = indentationOf(text, tag[2], tag[3]);
    tag[4] = indentation ?? '';
    return indentation === undefined ? [tag[3]] : [];
  });
}

/** Returns the indentation of a tag that is alone on its line. Undefined for any other. */
function indentationOf(text: string, start: number, end: number): string | undefined {
  const before = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  const next = text.indexOf('\n', end);
  const after = text.slice(end, next === -1 ? text.length : next);
  return /^[ \t]*$/.test(before) && /^[ \t]*\r?$/.test(after) ? before : undefined;
}

/** Returns a run of one character that is longer than any in the text, so that removing it never removes characters of the text. */
function unusedRun(text: string): string {
  let run = '\ue000';
  while (text.includes(run)) run += run;
  return run;
}

function removeMark(tags: Mustache.TemplateSpans, mark: string): void {
  for (const tag of tags) {
    if (tag[0] === 'text') tag[1] = tag[1].replaceAll(mark, '');
    else if (Array.isArray(tag[4])) removeMark(tag[4], mark);
  }
}

/** Returns a partial with an indentation before each line that is not empty. */
export function indented(partial: string, indentation: string): string {
  if (indentation === '') return partial;
  return partial
    .split('\n')
    .map((line) => (line === '' ? line : indentation + line))
    .join('\n');
}
