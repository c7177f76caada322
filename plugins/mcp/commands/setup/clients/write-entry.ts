import type { Terminal } from '../../../../../kernel/index.ts';
import type { ClientName } from '../names.ts';
import { type ClientFile, readClientFile, writeClientFile } from './client-file.ts';
import type { Client, ServerEntry } from './clients.ts';
import { entryConflict, otherName } from './entry-conflict.ts';
import { formerEntry, withServer } from './entry-edits.ts';
import { fileDiff } from './file-diff.ts';

/** A planned change of a client's file. Not yet written. */
export interface Change {
  readonly client: Client;
  /** Server name. */
  readonly name: string;
  readonly original: ClientFile;
  readonly text: string;
  /** Diff for the user; empty when nothing would change. */
  readonly diff: string;
  /** Sentence about the existing entry, when it must not be replaced without asking. */
  readonly conflict?: string;
  /** Name under which the new entry can be added next to the existing one. */
  readonly otherName?: string;
  /** True when the file will hold a token: afterwards only its owner may read it. */
  readonly isPrivate: boolean;
}

export interface WriteResult {
  readonly client: ClientName;
  readonly file: string;
  /** False when the file already had this content. */
  readonly isChanged: boolean;
  /** Path of the backup; absent for a new file. */
  readonly backup?: string;
}

/** Plans how to add the server to the file. Throws CONFIG_INVALID for a file that cannot be changed safely. */
export async function planChange(terminal: Terminal, client: Client, file: string, server: ServerEntry): Promise<Change> {
  const original = await readClientFile(file);
  const options = { file, hasComments: client.hasComments };
  const former = formerEntry(original.text, server, options);
  const conflict = entryConflict(former, server);
  const change = await describeChange(terminal, client, original, server, withServer(original.text, server, options));
  return conflict === undefined ? change : { ...change, conflict, otherName: otherName(server.name, former, server) };
}

/** Plans the change of a file to this text. */
export async function describeChange(
  terminal: Terminal,
  client: Client,
  original: ClientFile,
  server: ServerEntry,
  text: string,
): Promise<Change> {
  const diff = text === original.text ? '' : await fileDiff(terminal, original.text, text, server);
  return { client, name: server.name, original, text, diff, isPrivate: server.holdsToken === true };
}

/** Writes the change. */
export async function applyChange({ client, name, original, text, isPrivate }: Change, now: Date): Promise<WriteResult> {
  const { file } = original;
  if (text === original.text) return { client: client.name, file, isChanged: false };
  const backup = await writeClientFile(original, text, { backupLabel: { at: now, name }, ...(isPrivate ? { maxMode: 0o600 } : {}) });
  return { client: client.name, file, isChanged: true, ...(backup === undefined ? {} : { backup }) };
}
