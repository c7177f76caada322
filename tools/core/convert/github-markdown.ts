import type { MarkdownIt, StateCore, Token } from 'markdown-it';

/**
 * Adds to a reader of Markdown what GitHub adds to CommonMark and the library writes otherwise or leaves out: `<del>`, task lists, `align` of cells,
 * and links of addresses that begin with `www.`. Tables, strikethrough and links of whole addresses are its own.
 * Source: GitHub Flavored Markdown Spec 0.29, 4.10 to 6.9.
 */
export function withGitHub(reader: MarkdownIt): MarkdownIt {
  reader.linkify.set({ fuzzyLink: false, fuzzyEmail: true });
  reader.linkify.add('www.', {
    validate: (text, position) => /^[a-z\d-]+(?:\.[a-z\d-]+)+[^\s<]*[^\s<?!.,:*_~)'"]/i.exec(text.slice(position))?.[0].length ?? 0,
    normalize(match) {
      match.url = `http://${match.url}`;
    },
  });
  reader.renderer.rules['s_open'] = () => '<del>';
  reader.renderer.rules['s_close'] = () => '</del>';
  reader.core.ruler.push('github', withTaskListsAndAlign);
  return reader;
}

function withTaskListsAndAlign(state: StateCore): void {
  state.tokens.forEach((token, index, tokens) => {
    const align = /^text-align:(left|right|center)$/.exec(String(token.attrGet('style')))?.[1];
    if (align !== undefined) token.attrs = [['align', align]];
    if (token.type === 'inline' && tokens[index - 2]?.type === 'list_item_open') addBox(state, token);
  });
}

/** Puts the box of a task list in place of its brackets. */
function addBox(state: StateCore, { children }: Token): void {
  const first = children?.[0];
  const [brackets, mark] = /^\[([ xX])\](?=\s)/.exec(first?.type === 'text' ? first.content : '') ?? [];
  if (children === null || first === undefined || brackets === undefined) return;
  first.content = first.content.slice(brackets.length);
  const box = new state.Token('html_inline', '', 0);
  box.content = `<input${mark === ' ' ? '' : ' checked=""'} disabled="" type="checkbox" />`;
  children.unshift(box);
}
