import { existsSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { glob } from 'tinyglobby';
import type { Tool } from '../../../../kernel/index.ts';
import { guides } from '../guides.ts';
import { code, codeBlock, page } from '../markdown.ts';
import { toolsPage } from '../pages/tools-page.ts';
import { type ReferenceName, type ReferenceTexts, referenceFolder, referenceTitles } from '../reference-pages.ts';
import { groupOf } from '../tool-facts.ts';
import { linksIn } from './links-in.ts';
import { linkedFile } from './page-address.ts';
import { menu, otherTexts } from './sidebar.ts';
import { toolPage } from './tool-page.ts';

export interface SitePage {
  /** The file that it is made of, from the folder of package.json on, with slashes: links between files are links between their pages. */
  readonly file: string;
  readonly title: string;
  readonly markdown: string;
  /** True when a search finds the sections and rows of the page. */
  readonly isSearched: boolean;
  /** Words by which a search finds the page as one entry, in place of its sections. */
  readonly words?: string;
  /** The group of a tool. */
  readonly group?: string;
}

/**
 * Returns all pages: the menu, the tools, and the files that these link to. `root`: the folder of package.json. Throws when a guide is in no
 * section of the menu.
 */
export async function sitePages(root: string, tools: readonly Tool[], texts: ReferenceTexts): Promise<readonly SitePage[]> {
  const files = menu.flatMap((section) => section.files).filter((file) => existsSync(path.join(root, file)));
  const reference = Object.keys(texts).filter((name) => name in referenceTitles);
  for (const file of [...(await guideFiles(root)), ...reference.map((name) => `${referenceFolder}/${name}`)])
    if (!files.includes(file))
      throw new Error(`${file} is in no section of the site: name this guide in plugins/toolkit/docs/site/sidebar.ts.`);
  const pageOf = (tool: Tool): SitePage => ({
    file: path.relative(root, tool.origin.file ?? tool.name).replaceAll(path.sep, '/'),
    title: tool.name,
    markdown: toolPage(tool),
    isSearched: true,
    words: searchedWords(tool),
    group: groupOf(tool),
  });
  const ofTools = tools.map(pageOf);
  const list = toolsPage(tools, (tool) => path.posix.relative(referenceFolder, pageOf(tool).file));
  const inMenu = files.map(async (file) => {
    const name = path.posix.basename(file) as ReferenceName;
    if (path.posix.dirname(file) !== referenceFolder) return pageOfFile(root, file);
    // The page of each tool is found by the words of the tool.
    if (name === 'tools.md') return { file, title: referenceTitles[name].title, markdown: list, isSearched: false };
    return { file, title: referenceTitles[name].title, markdown: texts[name], isSearched: true };
  });
  const packages = await glob('tools/*/README.md', { cwd: root });
  const readmes = packages.toSorted().map((file) => pageOfFile(root, file));
  return withLinked(root, [...(await Promise.all([...inMenu, ...readmes])), ...ofTools]);
}

/** Finds the guides: the Markdown files of the top folder and of the plugins. */
function guideFiles(root: string): Promise<readonly string[]> {
  return glob(['*.md', 'plugins/**/*.md'], { cwd: root, ignore: ['**/node_modules', ...otherTexts] });
}

function searchedWords({ description, definition: { tags = [], intents = [] }, inputSchema }: Tool): string {
  const parameters = Object.keys(inputSchema['properties'] ?? {});
  return [description, ...intents, ...tags, ...parameters].join(' ');
}

/** Adds pages for the files that the pages link to, and for the files that these link to. */
async function withLinked(root: string, pages: readonly SitePage[], fresh: readonly SitePage[] = pages): Promise<readonly SitePage[]> {
  const known = new Set(pages.map(({ file }) => file));
  const named = fresh.flatMap(({ file, markdown }) => linksIn(markdown).map((href) => linkedFile(file, href)));
  const files = [...new Set(named)].filter((file) => file !== undefined && !known.has(file) && isFile(path.join(root, file))) as string[];
  if (files.length === 0) return pages;
  const more = await Promise.all(files.map((file) => pageOfFile(root, file)));
  return withLinked(root, [...pages, ...more], more);
}

function isFile(file: string): boolean {
  return existsSync(file) && statSync(file).isFile();
}

async function pageOfFile(root: string, file: string): Promise<SitePage> {
  const text = await readFile(path.join(root, file), 'utf8');
  if (!file.endsWith('.md')) return { file, title: file, markdown: page(`# ${code(file)}`, codeBlock('', text)), isSearched: false };
  const title = guides.find((guide) => guide.file === file)?.title ?? /^# (.*)$/m.exec(text)?.[1] ?? file;
  return { file, title, markdown: text, isSearched: true };
}
