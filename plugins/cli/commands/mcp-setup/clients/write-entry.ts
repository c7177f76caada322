import type { Terminal } from '../../../../../kernel/index.ts';
import type { ClientName } from '../names.ts';
import { type ClientFile, readClientFile, writeClientFile } from './client-file.ts';
import type { Client, ServerEntry } from './clients.ts';
import { withServer } from './edited-text.ts';
import { fileDiff } from './file-diff.ts';

/** A change of a client's file that was worked out, but not made. */
export interface Change {
  readonly client: Client;
  readonly read: ClientFile;
  readonly text: string;
  /** What would change, for a person; empty when nothing would. */
  readonly diff: string;
}

export interface Written {
  readonly client: ClientName;
  readonly file: string;
  /** False where the file says it already. */
  readonly isChanged: boolean;
  /** The copy of what the file was; absent for a new one. */
  readonly backup?: string;
}

/** What the server would change in the file. Throws CONFIG_INVALID for a file that is better left alone. */
export async function changeOf(terminal: Terminal, client: Client, file: string, server: ServerEntry): Promise<Change> {
  const read = await readClientFile(file);
  const text = withServer(read.text, server, { file, hasComments: client.hasComments });
  return { client, read, text, diff: text === read.text ? '' : await fileDiff(terminal, read.text, text, server) };
}

/** Makes the change. */
export async function makeChange({ client, read, text }: Change, now: Date): Promise<Written> {
  const { file } = read;
  if (text === read.text) return { client: client.name, file, isChanged: false };
  const backup = await writeClientFile(read, text, { copiedAt: now });
  return { client: client.name, file, isChanged: true, ...(backup === undefined ? {} : { backup }) };
}
