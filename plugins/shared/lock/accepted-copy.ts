import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { isPlainObject, ToolkitError } from '../../../kernel/index.ts';
import { textOfFile } from '../text/utf8.ts';
import { lockFolderName } from './lock-file.ts';
import { readPlainFile, refuseLinkedFolder, replaceFile } from './plain-file.ts';

/** The texts of a document, as they were accepted. */
export interface AcceptedCopy {
  /** The location of the document among `files`. */
  readonly document: string;
  /** Texts by location: a path relative to the folder of the document, or a URL. */
  readonly files: ReadonlyMap<string, string>;
  readonly overlay?: string;
}

/** Returns the digest of a copy: sha256 over its texts in a fixed order. */
export function digestOfCopy({ document, files, overlay }: AcceptedCopy): string {
  const sorted = [...files].sort(([one], [other]) => (one < other ? -1 : 1));
  return `sha256-${createHash('sha256')
    .update(JSON.stringify([document, sorted, overlay ?? null]))
    .digest('base64url')}`;
}

/** Returns the path of the copy of a source. `folder`: that of the configuration. */
export function copyFile(folder: string, source: string): string {
  return path.join(folder, lockFolderName, `${source}.json`);
}

/** Reads the copy of a source. Throws CONFIG_INVALID when it is missing, is no such copy, or has another digest than the entry. */
export async function readCopy(folder: string, source: string, digest: string): Promise<AcceptedCopy> {
  const file = copyFile(folder, source);
  const refuse = (problem: string): never => {
    const message = `"${file}" ${problem}. Take toolkit.lock and ${lockFolderName}/ back from git, or accept the document again: toolkit openapi update ${source}`;
    throw new ToolkitError('CONFIG_INVALID', message, { file });
  };
  await refuseLinkedFolder(path.dirname(file));
  const bytes = (await readPlainFile(file)) ?? refuse('is missing');
  const copy = copyIn(textOfFile(bytes, file)) ?? refuse('is no accepted copy of a document');
  return digestOfCopy(copy) === digest ? copy : refuse('has changed since it was accepted: its digest is not the one in toolkit.lock');
}

/** Writes the copy of a source, and returns its digest. One line of the document is one line of the file, so that git shows what changed. */
export async function writeCopy(folder: string, source: string, copy: AcceptedCopy): Promise<string> {
  const file = copyFile(folder, source);
  await refuseLinkedFolder(path.dirname(file));
  await mkdir(path.dirname(file), { recursive: true });
  const files = Object.fromEntries([...copy.files].map(([location, text]) => [location, text.split('\n')]));
  const overlay = copy.overlay === undefined ? {} : { overlay: copy.overlay.split('\n') };
  await replaceFile(file, `${JSON.stringify({ document: copy.document, files, ...overlay }, null, 1)}\n`);
  return digestOfCopy(copy);
}

function copyIn(text: string): AcceptedCopy | undefined {
  // No number: texts only.
  const value = parseJson(text);
  if (!isPlainObject(value) || typeof value['document'] !== 'string' || !isPlainObject(value['files'])) return undefined;
  const files = new Map<string, string>();
  for (const [location, lines] of Object.entries(value['files'])) {
    if (!isLines(lines)) return undefined;
    files.set(location, lines.join('\n'));
  }
  const { document, overlay } = value;
  if (!files.has(document as string) || (overlay !== undefined && !isLines(overlay))) return undefined;
  return { document: document as string, files, ...(overlay === undefined ? {} : { overlay: overlay.join('\n') }) };
}

function parseJson(text: string): unknown {
  try {
    // No number: a copy holds texts only.
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isLines(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((line) => typeof line === 'string');
}
