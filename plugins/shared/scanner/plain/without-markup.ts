/** Tags of HTML that follow one another; their length is bounded, so that matching is linear. */
const tags = /(?:<\/?[a-z][^<>]{0,200}>)+/gi;

/** Emphasis of Markdown within a word. */
const emphasis = /(?<=\p{L})(?:\*{1,3}|~~|`)(?=\p{L})/gu;

/** Removes tags and comments, also within a word. The content of comments stands after the text, because models read it. */
export function withoutMarkup(text: string): string {
  const { rest, comments } = splitComments(text);
  const plain = rest.replace(tags, (_all, index: number) => (isWithinWord(rest, index, _all.length) ? '' : ' ')).replace(emphasis, '');
  return comments.length === 0 ? plain : `${plain}\n\n${comments.map((comment) => comment.replace(tags, ' ')).join('\n\n')}`;
}

function isWithinWord(text: string, index: number, length: number): boolean {
  return /\w/.test(text[index - 1] ?? '') && /\w/.test(text[index + length] ?? '');
}

function splitComments(text: string): { readonly rest: string; readonly comments: readonly string[] } {
  const comments: string[] = [];
  const rest: string[] = [];
  let at = 0;
  for (let open = text.indexOf('<!--'); open !== -1; open = text.indexOf('<!--', at)) {
    const close = text.indexOf('-->', open + 4);
    // An open comment hides the rest of the text.
    const end = close === -1 ? text.length : close;
    rest.push(text.slice(at, open));
    comments.push(text.slice(open + 4, end));
    at = close === -1 ? text.length : close + 3;
  }
  return { rest: rest.join('') + text.slice(at), comments };
}
