import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { escapeUTF8 } from 'entities';
import { referenceFolder } from '../reference-pages.ts';
import { picturesIn } from './links-in.ts';
import { linkedFile, pageAddress, sourceFile } from './page-address.ts';
import { pictureAddresses, pictureForms } from './pictures.ts';
import { menu } from './sidebar.ts';
import { type NavItem, type SidebarSection, type SiteData, styleSheet } from './site-config.ts';
import type { SitePage } from './site-pages.ts';

export interface SiteOptions {
  /** The folder of package.json. */
  readonly root: string;
  /** Path of the site on its server, such as `/toolkit/`. */
  readonly base: string;
  readonly title: string;
  readonly description: string;
  /** The text of `llms.txt` of the reference. */
  readonly llms: string;
}

/** Returns the files of which VitePress makes the site, by their paths. `buildSite` adds the configuration, which reads `.vitepress/data.json`. */
export async function siteSource(pages: readonly SitePage[], options: SiteOptions): Promise<ReadonlyMap<string, string | Uint8Array>> {
  const { root, base, title, description, llms } = options;
  const data: SiteData = { title, description, base, pages: pages.map(dataOf), nav, sidebar: sidebarOf(pages) };
  const sources = new Map<string, string | Uint8Array>(pages.map((page) => [sourceFile(page.file), pageSource(page)]));
  if (sources.size !== pages.length) throw new Error('Two files would have one page.');
  sources.set(`public/${styleSheet}`, await readFile(path.join(import.meta.dirname, 'style.css'), 'utf8'));
  for (const [address, picture] of await pictures(root, pages)) sources.set(`public/${address}`, picture);
  sources.set(
    'public/llms.txt',
    llms.replaceAll(/\]\(([^)]+)\)/g, (_, href: string) => `](${addressInLlms(href)})`),
  );
  sources.set('.vitepress/data.json', JSON.stringify(data));
  return sources;
}

const nav: readonly NavItem[] = [
  { text: 'Guide', link: '/' },
  { text: 'Tools', link: linkTo(`${referenceFolder}/tools.md`) },
  { text: 'Errors', link: linkTo(`${referenceFolder}/errors.md`) },
  { text: 'Hooks', link: linkTo(`${referenceFolder}/hooks.md`) },
];

function dataOf({ file, isSearched, words }: SitePage): SiteData['pages'][number] {
  return { file, isSearched, ...(words === undefined ? {} : { words }) };
}

/** The front matter is empty: without it, a text that begins with `---` would have one. */
function pageSource({ markdown }: SitePage): string {
  return `---
{}
---

${withoutIncludes(markdown)}`;
}

/** VitePress replaces `<!-- @include: file -->`, also inside code. A zero-width joiner after `<` keeps it as text. */
function withoutIncludes(markdown: string): string {
  return markdown.replaceAll(/<(?=!--\s*@include:)/g, '<\u200D');
}

function sidebarOf(pages: readonly SitePage[]): SiteData['sidebar'] {
  const titles = new Map(pages.map(({ file, title }) => [file, title]));
  const item = (file: string): NavItem => ({ text: escapeUTF8(titles.get(file) ?? file), link: linkTo(file) });
  const sections = menu.map(
    ({ title, files }): SidebarSection => ({ text: title, items: files.filter((file) => titles.has(file)).map(item) }),
  );
  const packages = [...titles.keys()].filter((file) => /^tools\/[^/]+\/README\.md$/.test(file));
  const packageSection = { text: 'Provider packages', collapsed: true, items: packages.map(item) };
  const main = [...sections, packageSection].filter(({ items }) => items.length > 0);
  const folded = main.map((section) => ({ ...section, collapsed: true }));
  const tools = pages.filter(({ group }) => group !== undefined);
  const folders = new Set(tools.map(({ file }) => path.posix.dirname(file)));
  const ofFolders = [...folders].map((folder): [string, readonly SidebarSection[]] => {
    const inFolder = tools.filter(({ file }) => path.posix.dirname(file) === folder);
    const items = [`${referenceFolder}/tools.md`, `${folder}/README.md`].filter((file) => titles.has(file)).map(item);
    const text = escapeUTF8(inFolder[0]?.group ?? folder);
    return [`/${folder}/`, [{ text, items: [...items, ...inFolder.map(({ file }) => item(file))] }, ...folded]];
  });
  return { ...Object.fromEntries(ofFolders), '/': main };
}

function linkTo(file: string): string {
  return file === 'README.md' ? '/' : `/${pageAddress(file)}`;
}

/** Returns a light and a dark form of each picture of the pages, by its address. */
async function pictures(root: string, pages: readonly SitePage[]): Promise<ReadonlyMap<string, string | Uint8Array>> {
  const linked = pages.flatMap(({ file, markdown }) => picturesIn(markdown).map((src) => linkedFile(file, src)));
  const forms = new Map<string, string | Uint8Array>();
  for (const picture of new Set(linked)) {
    if (picture === undefined) continue;
    const addresses = pictureAddresses(picture);
    const { light, dark } = await pictureForms(root, picture);
    forms.set(addresses.light, light).set(addresses.dark, dark);
  }
  return forms;
}

/** Returns the address of a link of `llms.txt`, which is at the top of the site. */
function addressInLlms(href: string): string {
  return pageAddress(linkedFile(`${referenceFolder}/llms.txt`, href) ?? href);
}
