import type { Stats } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { type Logger, ToolkitError } from '../../kernel/index.ts';
import { shellWord } from '../shared/text/shell-word.ts';
import { notUtf8, strictUtf8 } from '../shared/text/utf8.ts';
import { expandAll } from './expand-all.ts';

const maxBytes = 1024 * 1024;
/** Limit of blank characters in a row. dotenv takes quadratic time for them, without a pause in which a time limit could act. */
const maxBlank = 1000;

export interface EnvFileOptions {
  /** The absolute path. */
  readonly path: string;
  /** False: a missing file counts as a file without values. */
  readonly isRequired: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly logger: Logger;
}

/** A file of `NAME=value` lines, as dotenv and dotenv-expand read them. */
export class EnvFile {
  readonly path: string;
  readonly #options: EnvFileOptions;
  #cached: { readonly state: string; readonly values: ReadonlyMap<string, string> } | undefined;
  #isWarned = false;

  constructor(options: EnvFileOptions) {
    this.path = options.path;
    this.#options = options;
  }

  /** Reads the file again when it has changed, or when `isFresh`. Throws SECRET_STORE_UNAVAILABLE; the message never contains a value. */
  async read(isFresh: boolean): Promise<ReadonlyMap<string, string>> {
    const stats = await this.#stat();
    if (stats === undefined) return new Map();
    const state = [stats.ino, stats.size, stats.mtimeMs, stats.ctimeMs].join(' ');
    if (this.#cached?.state !== state || isFresh) this.#cached = { state, values: await this.#parse(stats) };
    return this.#cached.values;
  }

  async #stat(): Promise<Stats | undefined> {
    try {
      return await stat(this.path);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'ENOENT' && code !== 'ENOTDIR') throw this.#unreadable(error);
      if (!this.#options.isRequired) return undefined;
      throw this.#failure('does not exist. Create it, or correct the option "path" of secrets-dotenv', error);
    }
  }

  async #parse(stats: Stats): Promise<ReadonlyMap<string, string>> {
    if (!stats.isFile()) {
      const kind = stats.isDirectory() ? 'a directory' : 'not a regular file';
      throw this.#failure(`is ${kind}. Name a file of NAME=value lines in the option "path" of secrets-dotenv`);
    }
    if (stats.size > maxBytes) throw this.#failure(`has ${stats.size} bytes, and at most ${maxBytes} are read. Keep only secrets in it`);
    this.#warnIfOpen(stats);
    const text = this.#decode(await readFile(this.path).catch((error: unknown) => Promise.reject(this.#unreadable(error))));
    if (text.split(/\S+/).some((blank) => blank.length > maxBlank)) {
      throw this.#failure(`has more than ${maxBlank} blank characters or lines in a row. Remove them`);
    }
    const [{ parse }, { expand }] = await Promise.all([import('dotenv'), import('dotenv-expand')]);
    const { values, unset, refused } = expandAll(expand, parse(text), this.#options.env);
    for (const name of unset) {
      this.#options.logger.warn(
        `${this.path}: the value of ${name} refers to a variable that is not set, which leaves nothing in its place. Write \\$ for a dollar sign.`,
      );
    }
    if (refused !== undefined) throw this.#failure(`has too much to expand in ${refused}. Write \\$ for a dollar sign`);
    return values;
  }

  /** Decodes UTF-8, without a byte order mark. Throws for bytes that are not UTF-8. */
  #decode(bytes: Uint8Array): string {
    const text = strictUtf8(bytes);
    if (text === undefined) throw this.#failure(`is not UTF-8 text: ${notUtf8(bytes)}`);
    return text;
  }

  #warnIfOpen({ mode }: Stats): void {
    if (this.#isWarned || process.platform === 'win32' || (mode & 0o066) === 0) return;
    this.#isWarned = true;
    const shown = (mode & 0o777).toString(8);
    this.#options.logger.warn(
      `${this.path} is open to other accounts of this machine (mode ${shown}). Run: chmod 600 ${shellWord(this.path)}`,
    );
  }

  #unreadable(error: unknown): ToolkitError {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    return this.#failure(`cannot be read (${code}). Give the account that runs this program the right to read it`, error);
  }

  #failure(problem: string, cause?: unknown): ToolkitError {
    const message = `The environment file ${this.path} ${problem}.`;
    return new ToolkitError('SECRET_STORE_UNAVAILABLE', message, { file: this.path, retryable: false }, { cause });
  }
}
