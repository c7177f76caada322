import { readFile } from 'node:fs/promises';
import Reader from 'markdown-it';
import { linksIn, picturesIn } from '../../plugins/toolkit/docs/site/links-in.ts';

const reader = new Reader();

/** Returns a Markdown text as HTML. */
export const htmlOf = (markdown: string): string => reader.render(markdown);

/** Returns the addresses of the links and pictures of a text, as they are written. */
export function addressesIn(markdown: string): readonly string[] {
  return [...linksIn(markdown), ...picturesIn(markdown)].filter((address) => address !== '');
}

/** A heading of a document with the text below it. */
export interface Section {
  /** As GitHub makes it of the heading. */
  readonly anchor: string;
  readonly title: string;
  /** From the heading to the next one of its level or above. */
  readonly text: string;
}

/** Returns the sections of a Markdown text, in their order. Headings inside code are none. */
export function sectionsIn(markdown: string): readonly Section[] {
  const lines = markdown.split('\n');
  const headings: { readonly line: number; readonly level: number; readonly title: string }[] = [];
  let fence: string | undefined;
  for (const [line, text] of lines.entries()) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(text)?.[1];
    if (mark !== undefined && (fence === undefined || text.trim() === fence)) fence = fence === undefined ? mark : undefined;
    const [, marks = '', title = ''] = (fence === undefined ? /^(#{1,6}) +(.+?) *$/.exec(text) : null) ?? [];
    if (marks !== '') headings.push({ line, level: marks.length, title });
  }
  const taken = new Map<string, number>();
  return headings.map(({ line, level, title }, index) => {
    const next = headings.slice(index + 1).find((other) => other.level <= level);
    return { anchor: anchorOf(title, taken), title, text: lines.slice(line, next?.line).join('\n') };
  });
}

/** One link of a document. */
export interface Link {
  readonly href: string;
  /** From the folder of package.json on; that of the document itself for a link within it. */
  readonly file: string;
  readonly anchor: string | undefined;
}

/** Returns the links of a document that lead into this project. */
export function relativeLinks(file: string, markdown: string): readonly Link[] {
  return addressesIn(markdown)
    .filter((href) => !/^[a-z][a-z0-9+.-]*:/i.test(href))
    .map((href) => {
      const { pathname, hash } = new URL(href, `file:///${file}`);
      return { href, file: decodeURIComponent(pathname).slice(1), anchor: hash === '' ? undefined : decodeURIComponent(hash.slice(1)) };
    });
}

const texts = new Map<string, Promise<string>>();

/** Reads a document once. */
export function documentText(file: string): Promise<string> {
  const known = texts.get(file) ?? readFile(file, 'utf8');
  texts.set(file, known);
  return known;
}

function anchorOf(title: string, taken: Map<string, number>): string {
  const slug = title
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
  const before = taken.get(slug);
  taken.set(slug, (before ?? 0) + 1);
  return before === undefined ? slug : `${slug}-${before}`;
}
