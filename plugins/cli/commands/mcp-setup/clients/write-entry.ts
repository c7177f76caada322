import type { Terminal } from '../../../../../kernel/index.ts';
import type { ClientName } from '../names.ts';
import { type ClientFile, readClientFile, writeClientFile } from './client-file.ts';
import type { Client, ServerEntry } from './clients.ts';
import { formerEntry, withServer } from './edited-text.ts';
import { entryConflict, otherName } from './entry-conflict.ts';
import { fileDiff } from './file-diff.ts';

/** A change of a client's file that was worked out, but not made. */
export interface Change {
  readonly client: Client;
  /** The name of the server. */
  readonly name: string;
  readonly read: ClientFile;
  readonly text: string;
  /** The change, for a person; empty when nothing would change. */
  readonly diff: string;
  /** A sentence about the entry that is there, where it should not be replaced unasked. */
  readonly conflict?: string;
  /** A name under which the new entry can stand beside that one. */
  readonly otherName?: string;
  /** The file will hold a token: only its owner may read it afterwards. */
  readonly isPrivate: boolean;
}

export interface Written {
  readonly client: ClientName;
  readonly file: string;
  /** False where the file says it already. */
  readonly isChanged: boolean;
  /** The copy of what the file was; absent for a new one. */
  readonly backup?: string;
}

/** Works out what the server changes in the file. Throws CONFIG_INVALID for a file that is better left alone. */
export async function changeOf(terminal: Terminal, client: Client, file: string, server: ServerEntry): Promise<Change> {
  const read = await readClientFile(file);
  const options = { file, hasComments: client.hasComments };
  const former = formerEntry(read.text, server, options);
  const conflict = entryConflict(former, server);
  const change = await changeInto(terminal, client, read, server, withServer(read.text, server, options));
  return conflict === undefined ? change : { ...change, conflict, otherName: otherName(server.name, former, server) };
}

/** Describes the change of a file to this text, for a person. */
export async function changeInto(terminal: Terminal, client: Client, read: ClientFile, server: ServerEntry, text: string): Promise<Change> {
  const diff = text === read.text ? '' : await fileDiff(terminal, read.text, text, server);
  return { client, name: server.name, read, text, diff, isPrivate: server.holdsToken === true };
}

/** Makes the change. */
export async function makeChange({ client, name, read, text, isPrivate }: Change, now: Date): Promise<Written> {
  const { file } = read;
  if (text === read.text) return { client: client.name, file, isChanged: false };
  const backup = await writeClientFile(read, text, { copy: { at: now, name }, ...(isPrivate ? { mostMode: 0o600 } : {}) });
  return { client: client.name, file, isChanged: true, ...(backup === undefined ? {} : { backup }) };
}
