import type { Terminal } from '../../../../../kernel/index.ts';
import type { ClientName } from '../names.ts';
import { type ClientFile, readClientFile, writeClientFile } from './client-file.ts';
import type { Client, ServerEntry } from './clients.ts';
import { formerEntry, withServer } from './edited-text.ts';
import { entryConflict, otherName } from './entry-conflict.ts';
import { fileDiff } from './file-diff.ts';

/** A planned change of a client's file. Not yet written. */
export interface Change {
  readonly client: Client;
  /** Server name. */
  readonly name: string;
  readonly read: ClientFile;
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

export interface Written {
  readonly client: ClientName;
  readonly file: string;
  /** False when the file already had this content. */
  readonly isChanged: boolean;
  /** Path of the backup; absent for a new file. */
  readonly backup?: string;
}

/** Plans how to add the server to the file. Throws CONFIG_INVALID for a file that cannot be changed safely. */
export async function changeOf(terminal: Terminal, client: Client, file: string, server: ServerEntry): Promise<Change> {
  const read = await readClientFile(file);
  const options = { file, hasComments: client.hasComments };
  const former = formerEntry(read.text, server, options);
  const conflict = entryConflict(former, server);
  const change = await changeInto(terminal, client, read, server, withServer(read.text, server, options));
  return conflict === undefined ? change : { ...change, conflict, otherName: otherName(server.name, former, server) };
}

/** Plans the change of a file to this text. */
export async function changeInto(terminal: Terminal, client: Client, read: ClientFile, server: ServerEntry, text: string): Promise<Change> {
  const diff = text === read.text ? '' : await fileDiff(terminal, read.text, text, server);
  return { client, name: server.name, read, text, diff, isPrivate: server.holdsToken === true };
}

/** Writes the change. */
export async function makeChange({ client, name, read, text, isPrivate }: Change, now: Date): Promise<Written> {
  const { file } = read;
  if (text === read.text) return { client: client.name, file, isChanged: false };
  const backup = await writeClientFile(read, text, { copy: { at: now, name }, ...(isPrivate ? { mostMode: 0o600 } : {}) });
  return { client: client.name, file, isChanged: true, ...(backup === undefined ? {} : { backup }) };
}
