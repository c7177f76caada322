import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { isPlainObject, type JsonObject, readJson } from '../../../kernel/index.ts';
import { lockFolderName } from '../../shared/lock/lock-file.ts';
import { readPlainFile, refuseLinkedFolder, replaceFile } from '../../shared/lock/plain-file.ts';
import { textOfFile } from '../../shared/text/utf8.ts';
import { codeDigest, definitionDigest } from '../items/digests.ts';
import type { LockedDigests, LockedSection, LockItem } from '../items/lock-item.ts';

/** The definition and files of an entry, as they were accepted: shown, never served. */
export interface AcceptedItem {
  readonly definition: JsonObject;
  readonly files: ReadonlyMap<string, string>;
}

function fileOf(folder: string, section: LockedSection, name: string): string {
  return path.join(folder, lockFolderName, section, `${encodeURIComponent(name)}.json`);
}

/** Writes the definition of an item beside its entry. */
export async function writeAcceptedItem(folder: string, item: LockItem): Promise<void> {
  const file = fileOf(folder, item.section, item.name);
  await openFolder(folder, path.dirname(file));
  await replaceFile(file, acceptedText({ definition: item.definition(), files: item.files }));
}

/** Returns the accepted definition as text, with sorted members: a member is a line, so that git shows what changed. */
export function acceptedText({ definition, files }: AcceptedItem): string {
  return `${JSON.stringify(sorted({ definition, files: Object.fromEntries(files) }), null, 1)}\n`;
}

export async function removeAcceptedItem(folder: string, section: LockedSection, name: string): Promise<void> {
  await openFolder(folder, path.join(folder, lockFolderName, section));
  await rm(fileOf(folder, section, name), { force: true });
}

/** Reads what was accepted. Undefined when the file is missing, or is not the one of the entry. */
export async function readAcceptedItem(
  folder: string,
  section: LockedSection,
  name: string,
  entry: LockedDigests,
): Promise<AcceptedItem | undefined> {
  const file = fileOf(folder, section, name);
  await refuseLinkedFolder(path.join(folder, lockFolderName));
  await refuseLinkedFolder(path.dirname(file));
  const bytes = await readPlainFile(file).catch(() => undefined);
  const found = bytes === undefined ? undefined : itemIn(textOfFile(bytes, file));
  if (found === undefined) return undefined;
  return definitionDigest(found.definition) === entry.digest && codeDigest(found.files) === entry.code ? found : undefined;
}

async function openFolder(folder: string, place: string): Promise<void> {
  await refuseLinkedFolder(path.join(folder, lockFolderName));
  await refuseLinkedFolder(place);
  await mkdir(place, { recursive: true });
}

function itemIn(text: string): AcceptedItem | undefined {
  try {
    const value = readJson(text);
    if (!isPlainObject(value) || !isPlainObject(value['definition']) || !isPlainObject(value['files'])) return undefined;
    const files = Object.entries(value['files']).map(([file, sha256]) => [file, String(sha256)] as const);
    return { definition: value['definition'] as JsonObject, files: new Map(files) };
  } catch {
    return undefined;
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isPlainObject(value)) return value;
  const names = Object.keys(value).sort();
  // fromEntries defines members: `__proto__` is one like all others.
  return Object.fromEntries(names.map((name) => [name, sorted(value[name])]));
}
