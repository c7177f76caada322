import { escapeUTF8 } from 'entities';
import Reader, { type MarkdownIt, type Token } from 'markdown-it';

/** A place in a page that a search can lead to: a heading, or a row of a table that begins with code. */
export interface PagePlace {
  /** The id of its element. */
  readonly id: string;
  readonly title: string;
  /** The heading above a row; empty for a heading. */
  readonly section: string;
  /** The words there. */
  readonly text: string;
}

export interface RenderedPage {
  readonly html: string;
  readonly places: readonly PagePlace[];
}

/**
 * Turns Markdown into HTML. HTML in it is shown as text. `resolveLink` returns the address of a link from this page; one that leads nowhere becomes
 * text.
 */
export function renderedPage(markdown: string, resolveLink: (href: string) => string | undefined): RenderedPage {
  const reader = readerWith(resolveLink);
  const takeId = uniqueIds();
  const places: PagePlace[] = [];
  let section = '';
  const parts: string[] = [];
  const tokens = reader.parse(markdown, {});
  for (let start = 0; start < tokens.length; ) {
    const block = blockAt(tokens, start);
    start += block.length;
    const [first, second] = block;
    if (first?.type === 'heading_open' && second !== undefined) {
      section = wordsOf([second]);
      const id = takeId(section);
      first.attrSet('id', id);
      places.push({ id, title: section, section: '', text: '' });
    } else if (first?.type === 'table_open') {
      const [head = [], ...rows] = rowsOf(block);
      const shown = rows.map((cells) => {
        const html = cells.map((cell) => inline(reader, cell));
        if (!isNamed(cells[0])) return { cells: html };
        const [title = '', ...others] = cells.map((cell) => wordsOf([cell]));
        const id = takeId(title);
        places.push({ id, title, section, text: others.join(' ') });
        return { id, cells: html };
      });
      const heads = head.map((cell) => inline(reader, cell));
      parts.push(tableHtml(heads, shown));
      continue;
    } else {
      const last = places.pop();
      if (last !== undefined) places.push({ ...last, text: `${last.text} ${wordsOf(block)}`.trim() });
    }
    parts.push(reader.renderer.render(block, reader.options, {}));
  }
  return { html: parts.join(''), places };
}

/** Returns the addresses of the links of a text, as they are written. */
export function linksIn(markdown: string): readonly string[] {
  const links: string[] = [];
  readerWith((href) => void links.push(href)).parse(markdown, {});
  return links;
}

function readerWith(resolveLink: (href: string) => string | undefined): MarkdownIt {
  // A bare URL in a text of others is no link.
  const reader = new Reader({ html: true, linkify: false });
  // Which addresses are allowed is the affair of `resolveLink`.
  reader.validateLink = () => true;
  reader.normalizeLink = (url) => url;
  const asText = (tokens: Token[], index: number): string => escapeUTF8(tokens[index]?.content ?? '');
  Object.assign(reader.renderer.rules, { html_block: asText, html_inline: asText, image: asText });
  reader.core.ruler.push('links', ({ tokens }) => {
    for (const { children } of tokens) resolveLinks(children ?? [], resolveLink);
  });
  return reader;
}

function resolveLinks(tokens: readonly Token[], resolveLink: (href: string) => string | undefined): void {
  const isHidden: boolean[] = [];
  for (const token of tokens) {
    if (token.type === 'link_open') {
      const target = resolveLink(String(token.attrGet('href') ?? ''));
      token.attrs = target === undefined ? [] : [['href', target]];
      token.hidden = target === undefined;
      isHidden.push(token.hidden);
    } else if (token.type === 'link_close') token.hidden = isHidden.pop() === true;
  }
}

/** The tokens of the block that begins at this index. */
function blockAt(tokens: readonly Token[], start: number): Token[] {
  let depth = 0;
  for (let end = start; end < tokens.length; end++) {
    depth += tokens[end]?.nesting ?? 0;
    if (depth === 0) return tokens.slice(start, end + 1);
  }
  return tokens.slice(start);
}

/** The cells of the rows of a table, the head first. */
function rowsOf(table: readonly Token[]): Token[][] {
  const rows: Token[][] = [];
  for (const token of table) {
    if (token.type === 'tr_open') rows.push([]);
    if (token.type === 'inline') rows.at(-1)?.push(token);
  }
  return rows;
}

function inline(reader: MarkdownIt, { children }: Token): string {
  return reader.renderer.renderInline(children ?? [], reader.options, {});
}

/** The text without its markup. */
function wordsOf(tokens: readonly Token[]): string {
  const words = tokens.map(({ type, content, children }): string => {
    if (children !== null && children.length > 0)
      return children.map((child) => (/break$/.test(child.type) ? ' ' : child.content)).join('');
    return type === 'inline' ? '' : content;
  });
  return words.join(' ').replace(/\s+/g, ' ').trim();
}

/** True for a cell that begins with code, which may be a link. */
function isNamed(cell: Token | undefined): boolean {
  return cell?.children?.find(({ type }) => type !== 'link_open')?.type === 'code_inline';
}

function tableHtml(heads: readonly string[], rows: readonly { readonly id?: string; readonly cells: readonly string[] }[]): string {
  const head = heads.every((cell) => cell === '') ? '' : `<thead><tr>${heads.map((cell) => `<th>${cell}</th>`).join('')}</tr></thead>`;
  const body = rows.map(({ id, cells }) => {
    const tag = id === undefined ? '<tr>' : `<tr id="${id}">`;
    return `${tag}${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>\n`;
  });
  return `<div class="table"><table>${head}<tbody>\n${body.join('')}</tbody></table></div>\n`;
}

/** Ids as GitHub makes them of headings, so that links to them hold in both places. */
function uniqueIds(): (words: string) => string {
  const taken = new Map<string, number>();
  return (words) => {
    const slug = words
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-');
    const before = taken.get(slug);
    taken.set(slug, (before ?? 0) + 1);
    return before === undefined ? slug : `${slug}-${before}`;
  };
}
