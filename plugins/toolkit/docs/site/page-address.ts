import path from 'node:path';

/** Returns the address in the site of the page of a file: the README is the first page. */
export function pageAddress(file: string): string {
  return sourceFile(file).replace(/md$/, 'html');
}

/** Returns the Markdown file of which the generator makes the page, from the folder of its source on. */
export function sourceFile(file: string): string {
  if (file === 'README.md') return 'index.md';
  return /\.(md|ya?ml)$/.test(file) ? file.replace(/\.\w+$/, '.md') : `${file}.md`;
}

/** Returns the address from one page of the site to another one. */
export function relativeAddress(from: string, to: string): string {
  return path.posix.relative(path.posix.dirname(from), to);
}

/** Returns the file that a link of a file leads to; undefined when it leads elsewhere. */
export function linkedFile(from: string, href: string): string | undefined {
  if (/^([a-z][a-z0-9+.-]*:|[/#])/i.test(href)) return undefined;
  const file = path.posix.join(path.posix.dirname(from), decodeURIComponent(href.replace(/[?#].*/s, '')));
  return file.startsWith('../') ? undefined : file;
}

/** Returns the anchor of a heading, as GitHub makes it, so that links to headings work in both places. */
export function anchorOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}
