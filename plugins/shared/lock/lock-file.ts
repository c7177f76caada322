import path from 'node:path';
import type { Document, Node } from 'yaml';
import { excerpt, messageOf, ToolkitError } from '../../../kernel/index.ts';
import { yaml } from '../definition-files/yaml-library.ts';
import { textOfFile } from '../text/utf8.ts';
import { lockFileName } from './lock-file-name.ts';
import { asOnlyWriter } from './lock-writer.ts';
import { readPlainFile, replaceFile } from './plain-file.ts';

export { lockFileName };

/** The folder beside it, with accepted definitions. */
export const lockFolderName = 'toolkit.lock.d';

const heading = ` What was accepted of tools, plugins, skills and sources. Commit it, together with ${lockFolderName}/.
 Commands of toolkit write it ("toolkit accept", "toolkit openapi update"): review changes, do not edit them.`;

/** A part of the lock, with an entry for each source, tool, plugin or skill. Other sections stay as they are. */
export interface LockSection<Entry> {
  readonly name: string;
  /** Tests the name of an entry. @default the name of a source */
  isName?(name: string): boolean;
  /** Checks an entry. `fail` throws CONFIG_INVALID with the place; its text completes "expected …". */
  parse(value: unknown, fail: (expected: string) => never): Entry;
  /** Returns the entry as it is written. */
  format(entry: Entry): unknown;
}

/** Returns the entries of a section, by source; empty without a lock. Throws CONFIG_INVALID for a lock that cannot be understood. */
export async function readSection<Entry>(folder: string, section: LockSection<Entry>): Promise<ReadonlyMap<string, Entry>> {
  const file = path.join(folder, lockFileName);
  return entriesOf(await readDocument(file), section, file);
}

/**
 * Changes the entries of a section, with no other writer meanwhile. `change` may first write what belongs to the entries. Nothing is written when
 * it returns nothing.
 */
export async function changeSection<Entry>(
  folder: string,
  section: LockSection<Entry>,
  change: (entries: ReadonlyMap<string, Entry>) => Promise<ReadonlyMap<string, Entry> | undefined>,
): Promise<void> {
  const file = path.join(folder, lockFileName);
  await asOnlyWriter(file, async () => {
    const document = await readDocument(file);
    const changed = await change(entriesOf(document, section, file));
    if (changed === undefined) return;
    const sorted = [...changed].sort(([one], [other]) => (one < other ? -1 : 1));
    document.set(section.name, document.createNode(new Map(sorted.map(([name, entry]) => [name, section.format(entry)]))));
    await replaceFile(file, document.toString({ lineWidth: 0 }));
  });
}

async function readDocument(file: string): Promise<Document> {
  const bytes = await readPlainFile(file);
  const { Document, isMap, parseDocument } = yaml();
  if (bytes === undefined) {
    const document = new Document({ version: 1 });
    document.commentBefore = heading;
    return document;
  }
  const document: Document = parseDocument(textOfFile(bytes, file), { prettyErrors: false, uniqueKeys: false });
  const [mistake] = document.errors;
  if (mistake !== undefined) throw invalid(file, `is not valid YAML: ${excerpt(messageOf(mistake), 100)}`);
  if (!isMap(document.contents)) throw invalid(file, 'holds no map');
  const version = document.get('version');
  if (version !== 1) throw invalid(file, `has the version ${excerpt(String(version), 20)}, and this program reads version 1`);
  return document;
}

function entriesOf<Entry>(document: Document, section: LockSection<Entry>, file: string): ReadonlyMap<string, Entry> {
  const node = document.get(section.name, true) as Node | undefined;
  const entries = new Map<string, Entry>();
  if (node === undefined) return entries;
  const value = plainValue(node, document, file);
  if (!(value instanceof Map)) throw invalid(file, `is wrong: expected "${section.name}" to be a map`);
  for (const [name, entry] of value as ReadonlyMap<unknown, unknown>) {
    const fail = (expected: string): never => {
      throw invalid(file, `is wrong: ${section.name}, "${excerpt(String(name), 50)}": expected ${expected}`);
    };
    // The name is part of the path of the accepted copy.
    const isName = section.isName ?? ((text: string) => /^[a-z][a-z0-9_-]{0,63}$/.test(text));
    if (typeof name !== 'string' || !isName(name)) return fail(section.isName === undefined ? 'the name of a source' : 'a name');
    entries.set(name, section.parse(entry, fail));
  }
  return entries;
}

/** Returns the value with maps as Map, because a name such as `__proto__` is no member of an object. */
function plainValue(node: Node, document: Document, file: string): unknown {
  try {
    return node.toJS(document, { mapAsMap: true, maxAliasCount: 0 });
  } catch (error) {
    throw invalid(file, `cannot be read: ${excerpt(messageOf(error), 100)}`);
  }
}

function invalid(file: string, problem: string): ToolkitError {
  return new ToolkitError('CONFIG_INVALID', `"${file}" ${problem}. Take it back from git, or remove it and accept the sources again.`, {
    file,
  });
}
