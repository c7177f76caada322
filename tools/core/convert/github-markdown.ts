import type { MarkdownIt, StateCore, Token } from 'markdown-it';

/**
 * Adds to a Markdown parser the parts of GitHub Flavored Markdown that the library lacks or writes in another way: `<del>`, task lists,
 * `align` of cells, and links of addresses that begin with `www.`. The library itself reads tables, strikethrough and links of whole
 * addresses. Source: GitHub Flavored Markdown Spec 0.29, 4.10 to 6.9.
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

/** Replaces the brackets of a task list item by a checkbox. */
function addBox(state: StateCore, { children }: Token): void {
  const first = children?.[0];
  const [brackets, mark] = /^\[([ xX])\](?=\s)/.exec(first?.type === 'text' ? first.content : '') ?? [];
  if (children === null || first === undefined || brackets === undefined) return;
  first.content = first.content.slice(brackets.length);
  const box = new state.Token('html_inline', '', 0);
  box.content = `<input${mark === ' ' ? '' : ' checked=""'} disabled="" type="checkbox" />`;
  children.unshift(box);
}
