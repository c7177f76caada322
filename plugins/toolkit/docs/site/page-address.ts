import path from 'node:path';

/** The address of the page of a file in the site: the README is its first page. */
export function pageAddress(file: string): string {
  if (file === 'README.md') return 'index.html';
  return /\.(md|ya?ml)$/.test(file) ? file.replace(/\.\w+$/, '.html') : `${file}.html`;
}

/** From one page of the site to another one. */
export function relativeAddress(from: string, to: string): string {
  return path.posix.relative(path.posix.dirname(from), to);
}
