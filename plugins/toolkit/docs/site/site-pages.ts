import { existsSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Tool } from '../../../../kernel/index.ts';
import { guides } from '../guides.ts';
import { code, codeBlock, page } from '../markdown.ts';
import { toolsPage } from '../pages/tools-page.ts';
import { type ReferenceName, type ReferenceTexts, type ReferenceTitle, referenceFolder, referenceTitles } from '../reference-pages.ts';
import { linksIn } from './rendered-page.ts';
import { toolPage } from './tool-page.ts';

export interface SitePage {
  /** The file that it is of, from the folder of package.json on, with slashes: links between files are links between their pages. */
  readonly file: string;
  readonly title: string;
  /** What a search calls the places in it; absent where they are not searched. */
  readonly kind?: string;
  /** The words by which the page is found, as one thing, in place of the places in it. They begin with what a hit shows. */
  readonly searched?: string;
  readonly markdown: string;
}

/** All pages: reference, guides, tools, and the files that these link to. `root`: the folder of package.json. */
export async function sitePages(root: string, tools: readonly Tool[], texts: ReferenceTexts): Promise<readonly SitePage[]> {
  const fileOf = (tool: Tool): string =>
    path
      .relative(root, tool.origin.file ?? tool.name)
      .split(path.sep)
      .join('/');
  const linked = toolsPage(tools, (tool) => path.posix.relative(referenceFolder, fileOf(tool)));
  const reference = (Object.keys(referenceTitles) as ReferenceName[]).map((name) => {
    const { title, kind }: ReferenceTitle = referenceTitles[name];
    const markdown = name === 'tools.md' ? linked : texts[name];
    return { file: `${referenceFolder}/${name}`, title, ...(kind === undefined ? {} : { kind }), markdown };
  });
  const written = guides.map(async ({ file, title }) => ({
    file,
    title,
    kind: 'guide',
    markdown: await readFile(path.join(root, file), 'utf8'),
  }));
  const ofTools = tools.map((tool) => ({
    file: fileOf(tool),
    title: tool.name,
    kind: 'tool',
    searched: searchedWords(tool),
    markdown: toolPage(tool),
  }));
  return withLinked(root, [...(await Promise.all(written)), ...reference, ...ofTools]);
}

function searchedWords({ description, definition: { tags = [], intents = [] }, inputSchema }: Tool): string {
  const parameters = Object.keys(inputSchema['properties'] ?? {});
  return [description, ...intents, ...tags, ...parameters].join(' ');
}

/** The file that a link leads to; undefined when it leads elsewhere. */
export function linkedFile(from: string, href: string): string | undefined {
  if (/^([a-z][a-z0-9+.-]*:|[/#])/i.test(href)) return undefined;
  const file = path.posix.join(path.posix.dirname(from), decodeURIComponent(href.replace(/[?#].*/s, '')));
  return file.startsWith('../') ? undefined : file;
}

/** With pages for the files that they link to, and so on. */
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
  if (!file.endsWith('.md')) return { file, title: file, markdown: page(`# ${code(file)}`, codeBlock('', text)) };
  return { file, title: /^# (.*)$/m.exec(text)?.[1] ?? file, kind: 'guide', markdown: text };
}
