import path from 'node:path';
import { excerpt, parseUrl, toUrl } from '../../../kernel/index.ts';
import { isInside } from '../../shared/project/is-inside.ts';

/** A reference of a document: the file that it names, and the part of it. */
export interface Reference {
  /** Empty for the file itself. As the document writes it. */
  readonly file: string;
  /** Percent-decoded, without `#`: a JSON pointer, or the name of an anchor. */
  readonly fragment: string;
}

export function parseReference(text: string): Reference {
  const hash = text.indexOf('#');
  if (hash === -1) return { file: text, fragment: '' };
  return { file: text.slice(0, hash), fragment: decoded(text.slice(hash + 1)) };
}

function decoded(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns the location of a document in its one form, to which its own references are compared. */
export function plainLocation(location: string): string {
  return isUrl(location) ? toUrl(location).href : path.resolve(location);
}

export function isUrl(location: string): boolean {
  return /^https?:\/\//i.test(location);
}

/** Files that a document may consist of. Others, such as `.env`, are none of its business. */
const documentFile = /\.(json|ya?ml)$/i;

/**
 * Returns the location to which the file part of a reference leads, inside the folder of the root document; otherwise `refused`: the reason for
 * people. Compares texts only: the reader of the file resolves links. `isKnown`: true for locations whose text was given.
 */
export function locationOf(
  file: string,
  base: string,
  root: string,
  isKnown: (location: string) => boolean,
): { readonly location: string } | { readonly refused: string } {
  const shown = excerpt(file, 80);
  if (isUrl(root)) {
    const location = parseUrl(file, base)?.href ?? file;
    return isKnown(location) ? { location } : refuse(`"${shown}" is outside the document: a document from a URL is one file`);
  }
  if (isKnown(file)) return { location: file };
  const name = decoded(file);
  if (/^[a-z][a-z\d+.-]*:/i.test(name))
    return refuse(`"${shown}" is outside the folder of the document: expected a relative path, received a URL`);
  if (/^[/\\]/.test(name))
    return refuse(`"${shown}" is outside the folder of the document: expected a relative path, received an absolute one`);
  if (name.includes('\0')) return refuse('a file name has a null byte');
  const folder = path.dirname(root);
  const location = path.resolve(path.dirname(base), name);
  if (!isInside(location, folder)) return refuse(`"${shown}" leaves the folder of the document`);
  const isHidden = path
    .relative(folder, location)
    .split(path.sep)
    .some((segment) => segment.startsWith('.'));
  if (location !== root && (isHidden || !documentFile.test(location)))
    return refuse(`"${shown}" is no document: expected the name of a .json, .yaml or .yml file that is not hidden`);
  return { location };
}

function refuse(refused: string): { readonly refused: string } {
  return { refused };
}
