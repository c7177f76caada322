import { escapeUTF8 } from 'entities';
import { Marked, type Token, type Tokens } from 'marked';

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
 * Markdown as HTML. HTML in it is shown as text. `resolveLink`: where a link leads from this page; one that leads nowhere becomes text.
 */
export function renderedPage(markdown: string, resolveLink: (href: string) => string | undefined): RenderedPage {
  const marked = parserWith(resolveLink);
  const takeId = uniqueIds();
  const places: PagePlace[] = [];
  let section = '';
  const html = marked.lexer(markdown).map((token) => {
    if (token.type === 'heading') {
      const { tokens, depth } = token as Tokens.Heading;
      section = wordsOf(tokens);
      const id = takeId(section);
      places.push({ id, title: section, section: '', text: '' });
      return `<h${depth} id="${id}">${inline(marked, tokens)}</h${depth}>\n`;
    }
    if (token.type === 'table') {
      const { header, rows } = token as Tokens.Table;
      return tableHtml(
        header.map(({ tokens }) => inline(marked, tokens)),
        rows.map((row) => {
          const [title = '', ...others] = row.map(({ tokens }) => wordsOf(tokens));
          const cells = row.map(({ tokens }) => inline(marked, tokens));
          if (!isNamed(row[0]?.tokens)) return { cells };
          const id = takeId(title);
          places.push({ id, title, section, text: others.join(' ') });
          return { id, cells };
        }),
      );
    }
    const last = places.pop();
    if (last !== undefined) places.push({ ...last, text: `${last.text} ${wordsOf([token])}`.trim() });
    return marked.parser([token]);
  });
  return { html: html.join(''), places };
}

/** Where the links of a text lead, as they are written. */
export function linksIn(markdown: string): readonly string[] {
  const links: string[] = [];
  const marked = parserWith(() => undefined);
  marked.walkTokens(marked.lexer(markdown), (token) => {
    if (token.type === 'link') links.push((token as Tokens.Link).href);
  });
  return links;
}

function parserWith(resolveLink: (href: string) => string | undefined): Marked {
  return new Marked({
    // A bare URL in a text of others is no link.
    tokenizer: { url: () => undefined },
    renderer: {
      html: ({ text }) => escapeUTF8(text),
      image: ({ text }) => escapeUTF8(text),
      link({ href, tokens }) {
        const words = this.parser.parseInline(tokens);
        const target = resolveLink(href);
        return target === undefined ? words : `<a href="${escapeUTF8(target)}">${words}</a>`;
      },
    },
  });
}

function inline(marked: Marked, tokens: Token[]): string {
  return marked.Parser.parseInline(tokens, marked.defaults);
}

/** The text without its markup. */
function wordsOf(tokens: readonly Token[]): string {
  const words = tokens.map((token): string => {
    const { tokens: inner, items, text, raw } = token as Tokens.Generic & { readonly items?: readonly Token[] };
    if (items !== undefined) return wordsOf(items);
    return inner === undefined ? (typeof text === 'string' ? text : raw) : wordsOf(inner);
  });
  return words.join('').replace(/\s+/g, ' ').trim();
}

/** Whether a row begins with code, which may be a link. */
function isNamed(tokens: readonly Token[] = []): boolean {
  const [first] = tokens;
  return first?.type === 'codespan' || (first?.type === 'link' && isNamed((first as Tokens.Link).tokens));
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
