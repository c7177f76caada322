/** Markup whose content has no tags, by its beginning. */
const opaque: readonly (readonly [start: string, end: string])[] = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
];

/** Elements of a document, counted without reading it. */
export interface XmlDepth {
  /** Maximum number of elements inside one another, the outermost included. */
  readonly deepest: number;
  /** Offset of the innermost element that has no end. */
  readonly open: number | undefined;
}

/** Counts the levels of elements from an offset on, without recursion. Exact up to the first mistake of the document. Takes linear time. */
export function xmlDepth(text: string, start: number): XmlDepth {
  const open: number[] = [];
  let deepest = 0;
  for (let at = text.indexOf('<', start), next = 0; at >= 0; at = text.indexOf('<', next)) {
    const [begin, end] = opaque.find(([one]) => text.startsWith(one, at)) ?? [];
    if (begin !== undefined && end !== undefined) {
      const found = text.indexOf(end, at + begin.length);
      if (found < 0) break;
      next = found + end.length;
      continue;
    }
    next = endOfTag(text, at + 1);
    if (text[at + 1] === '/') open.pop();
    else open.push(at);
    deepest = Math.max(deepest, open.length);
    if (text[next - 2] === '/' && text[next - 1] === '>') open.pop();
  }
  return { deepest, open: open.at(-1) };
}

/** Returns the offset after the `>` of a tag, which is none inside of a quoted value. */
function endOfTag(text: string, start: number): number {
  const mark = /["'>]/g;
  mark.lastIndex = start;
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    if (found[0] === '>') return mark.lastIndex;
    const end = text.indexOf(found[0], mark.lastIndex);
    if (end < 0) break;
    mark.lastIndex = end + 1;
  }
  return text.length;
}
