import path from 'node:path';

export function isUrl(document: string): boolean {
  return /^https?:\/\//i.test(document);
}

/** Returns the location of a document as a configuration in this folder names it: an absolute path or a URL. */
export function locationOf(document: string, folder: string): string {
  return isUrl(document) ? document : path.resolve(folder, document);
}
