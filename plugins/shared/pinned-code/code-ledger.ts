import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { type CodeFile, isPlainObject, keyOfCode } from '../../../kernel/index.ts';
import { stateFolder } from '../project/account-folders.ts';
import { pin } from './code-file.ts';

/** File content written by a model's call. */
export interface WrittenFile extends CodeFile {
  /** The tool that wrote it. */
  readonly tool: string;
  /** For a manifest, the packages whose tools were offered before. */
  readonly packages?: readonly string[];
}

/**
 * A line of the ledger. `began`: a call is about to write to the file, which holds `sha256`; a killed process leaves only this line.
 * `ended`: all that the call wrote stands above. `accepted`: the operator, or a person who was asked, has approved this content.
 */
type Entry =
  | ({ readonly type: 'written' } & WrittenFile)
  | ({ readonly type: 'began'; readonly call: string; readonly tool: string } & CodeFile)
  | { readonly type: 'ended'; readonly call: string }
  | ({ readonly type: 'accepted' } & CodeFile);

/**
 * Remembers across starts which code was written by models' calls, and which of it was accepted. One append-only file for each
 * configuration folder, in the account's state folder, shared by all its servers.
 */
export class CodeLedger {
  readonly file: string;

  constructor(folder: string, env: Readonly<Record<string, string | undefined>> = process.env) {
    const name = createHash('sha256').update(realOf(folder)).digest('hex').slice(0, 32);
    this.file = path.join(stateFolder(env), 'code', `${name}.jsonl`);
  }

  /** Returns written content that was not accepted and is still in the files; the newest of each file. */
  unaccepted(): readonly WrittenFile[] {
    const entries = this.#read();
    const accepted = new Set(entries.flatMap((entry) => (entry.type === 'accepted' ? [contentOf(entry)] : [])));
    const ended = new Set(entries.flatMap((entry) => (entry.type === 'ended' ? [entry.call] : [])));
    const found = new Map<string, WrittenFile>();
    for (const entry of entries) {
      if (entry.type !== 'written' && entry.type !== 'began') continue;
      const now = pin(entry.file, entry.part);
      const isWritten = entry.type === 'written' ? now.sha256 === entry.sha256 : !ended.has(entry.call) && now.sha256 !== entry.sha256;
      if (isWritten && !accepted.has(contentOf(now)))
        found.set(keyOfCode(now), {
          ...now,
          tool: entry.tool,
          ...('packages' in entry && entry.packages !== undefined ? { packages: entry.packages } : {}),
        });
    }
    return [...found.values()];
  }

  isAccepted(file: CodeFile): boolean {
    return this.#read().some((entry) => entry.type === 'accepted' && contentOf(entry) === contentOf(file));
  }

  /** Accepts the files. Also ends writes to them that a killed process had begun. */
  accept(files: readonly CodeFile[]): void {
    const keys = new Set(files.map(keyOfCode));
    const begun = this.#read().flatMap((entry) => (entry.type === 'began' && keys.has(keyOfCode(entry)) ? [entry.call] : []));
    this.#add([
      ...files.map(({ file, part, sha256 }) => ({ type: 'accepted' as const, file, ...(part === undefined ? {} : { part }), sha256 })),
      ...[...new Set(begun)].map((call) => ({ type: 'ended' as const, call })),
    ]);
  }

  addWritten(files: readonly WrittenFile[]): void {
    this.#add(files.map((file) => ({ type: 'written', ...file })));
  }

  addBegan(call: string, tool: string, files: readonly CodeFile[]): void {
    this.#add(files.map((file) => ({ type: 'began', call, tool, ...file })));
  }

  addEnded(call: string): void {
    this.#add([{ type: 'ended', call }]);
  }

  /** Appends in one write, because several servers share the file. Begins with a line feed, because the last line may be incomplete. */
  #add(entries: readonly Entry[]): void {
    if (entries.length === 0) return;
    mkdirSync(path.dirname(this.file), { recursive: true, mode: 0o700 });
    appendFileSync(this.file, entries.map((entry) => `\n${JSON.stringify(entry)}`).join(''), { mode: 0o600 });
  }

  /** Reads the entries. Skips an incomplete line, which a killed process may leave. */
  #read(): readonly Entry[] {
    try {
      // Own text: a ledger as it was written here
      const lines = readFileSync(this.file, 'utf8').split('\n');
      return lines.flatMap((line) => entryIn(line) ?? []);
    } catch {
      return [];
    }
  }
}

function entryIn(line: string): Entry | undefined {
  try {
    // Own text: a line of the ledger.
    const entry: unknown = JSON.parse(line);
    return isPlainObject(entry) && typeof entry['type'] === 'string' ? (entry as unknown as Entry) : undefined;
  } catch {
    return undefined;
  }
}

function contentOf(file: CodeFile): string {
  return `${keyOfCode(file)} ${file.sha256}`;
}

function realOf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return path.resolve(folder);
  }
}
