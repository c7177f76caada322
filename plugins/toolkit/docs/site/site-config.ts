/** The configuration of VitePress, as a plain object: VitePress is no dependency of the project. */
import type { MarkdownIt } from 'markdown-it';
import { addSiteRules } from './markdown-rules.ts';
import { anchorOf, sourceFile } from './page-address.ts';
import { type SearchedPage, searchedHtml } from './searched-html.ts';

/** Data of a site, for JSON. */
export interface SiteData {
  readonly title: string;
  readonly description: string;
  /** Path of the site on its server, such as `/toolkit/`. */
  readonly base: string;
  /** Not in the front matter of the pages: VitePress writes that into a script, which a text with `</script>` would end. */
  readonly pages: readonly (SearchedPage & {
    /** From the folder of package.json on. */
    readonly file: string;
  })[];
  readonly nav: readonly NavItem[];
  /** Menus by the beginning of the addresses that show them. */
  readonly sidebar: Readonly<Record<string, readonly SidebarSection[]>>;
}

/** Name of our style sheet in the site. */
export const styleSheet = 'style.css';

export interface NavItem {
  readonly text: string;
  readonly link: string;
}

export interface SidebarSection {
  readonly text: string;
  readonly collapsed?: boolean;
  readonly items: readonly NavItem[];
}

/** Returns the configuration of VitePress for a site. */
export function siteConfig({ title, description, base, pages, nav, sidebar }: SiteData): object {
  const bySource = new Map(pages.map((page) => [sourceFile(page.file), page]));
  const known = new Set(pages.map(({ file }) => file));
  return {
    title,
    description,
    base,
    lang: 'en',
    metaChunk: true,
    // Beside the style sheet of the theme.
    head: [['link', { rel: 'stylesheet', href: `${base}${styleSheet}` }]],
    markdown: {
      // Texts of definitions are no HTML, and their URLs no links.
      html: false,
      linkify: false,
      attrs: { disable: true },
      anchor: { slugify: anchorOf },
      languageAlias: { console: 'shellsession', sh: 'shellscript' },
      config: (reader: MarkdownIt) =>
        addSiteRules(reader, { fileOf: (source) => bySource.get(source)?.file, hasPage: (file) => known.has(file) }),
    },
    themeConfig: {
      nav,
      sidebar,
      outline: [2, 3],
      search: {
        provider: 'local',
        options: {
          miniSearch: { options: { tokenize: searchTerms }, searchOptions: { boostDocument: boostOfEntry } },
          _render: (source: string, env: Record<string, unknown>, reader: MarkdownIt) => {
            const html = reader.render(source, env);
            return searchedHtml(html, bySource.get(String(env['relativePath'])) ?? { isSearched: false });
          },
        },
      },
    },
  };
}

/** Returns the words of a text and each whole name, such as `rate_limited`. VitePress writes the function into the pages: it uses nothing around it. */
export function searchTerms(text: string): readonly string[] {
  const words = text.split(/[\n\r\p{Z}\p{P}]+/u);
  const names = text.match(/[\p{L}\p{N}]+(?:[_.-][\p{L}\p{N}]+)+/gu) ?? [];
  return [...words, ...names];
}

/** Puts the reference and the tools before guides that mention them. Written into the pages like `searchTerms`. */
function boostOfEntry(id: string): number {
  return /\/(reference|tools)\//.test(id) ? 2 : 1;
}
