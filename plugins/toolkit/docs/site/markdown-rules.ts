import type { MarkdownIt, Token } from 'markdown-it';
import { anchorOf, linkedFile, pageAddress, relativeAddress } from './page-address.ts';
import { pictureAddresses } from './pictures.ts';

/** Forms of VitePress that GitHub does not have. A text of a definition that looks like one stays text. */
const extensions = {
  block: [
    'snippet',
    'toc',
    ...['tip', 'info', 'warning', 'danger', 'details', 'v-pre', 'raw', 'code-group'].map((name) => `container_${name}`),
  ],
  core: ['emoji'],
};

export interface LinkedPages {
  /** Returns the file that a page is made of, by the Markdown file of the page. */
  fileOf(source: string): string | undefined;
  /** True when the file has a page. */
  hasPage(file: string): boolean;
}

/**
 * Makes a Markdown reader of the generator show texts as they are, link pages as the files link each other, show pictures in a light and a
 * dark form, and give an anchor to each row of a table that begins with code.
 */
export function addSiteRules(reader: MarkdownIt, pages: LinkedPages): void {
  reader.block.ruler.disable(extensions.block, true);
  reader.core.ruler.disable(extensions.core, true);
  reader.core.ruler.push('site', ({ tokens, env }) => {
    // The generator gives the path of the Markdown file.
    const file = pages.fileOf((env as { readonly relativePath?: string }).relativePath ?? '');
    for (const { children } of tokens) if (children !== null && file !== undefined) resolveAddresses(reader, children, file, pages);
    addRowAnchors(tokens);
  });
  for (const name of ['text', 'code_inline'] as const) {
    const render = reader.renderer.rules[name];
    if (render !== undefined) reader.renderer.rules[name] = (...args) => withoutInterpolation(render(...args) as string);
  }
}

/** Returns HTML in which a template of Vue finds no `{{`. */
function withoutInterpolation(html: string): string {
  return html.replaceAll('{', '&#123;');
}

function resolveAddresses(reader: MarkdownIt, tokens: readonly Token[], file: string, pages: LinkedPages): void {
  for (const token of tokens) {
    if (token.type === 'link_open') {
      const href = String(token.attrGet('href') ?? '');
      const target = linkedFile(file, href);
      if (target !== undefined && pages.hasPage(target))
        token.attrSet('href', `${relativeAddress(pageAddress(file), pageAddress(target))}${/#.*/s.exec(href)?.[0] ?? ''}`);
    } else if (token.type === 'image') {
      const picture = linkedFile(file, String(token.attrGet('src') ?? ''));
      if (picture === undefined) continue;
      token.type = 'html_inline';
      token.content = pictureHtml(picture, withoutInterpolation(reader.utils.escapeHtml(token.content)));
    }
  }
}

function pictureHtml(file: string, alt: string): string {
  const forms = Object.entries(pictureAddresses(file));
  return forms.map(([form, address]) => `<img class="only-${form}" src="/${address}" alt="${alt}">`).join('');
}

/** Gives an `id` to the rows that begin with code, such as the name of a key. */
function addRowAnchors(tokens: readonly Token[]): void {
  const taken = new Set(tokens.map((token) => token.attrGet('id')));
  for (const [index, row] of tokens.entries()) {
    const name = row.type === 'tr_open' ? nameOf(tokens[index + 2]) : undefined;
    if (name === undefined) continue;
    const anchor = anchorOf(name);
    let id = anchor;
    for (let count = 1; taken.has(id); count += 1) id = `${anchor}-${count}`;
    taken.add(id);
    row.attrSet('id', id);
  }
}

/** Returns the code at the beginning of a cell, which may be a link. */
function nameOf(cell: Token | undefined): string | undefined {
  const first = cell?.children?.find(({ type }) => type !== 'link_open');
  return first?.type === 'code_inline' ? first.content : undefined;
}
