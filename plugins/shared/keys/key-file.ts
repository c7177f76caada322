import { randomBytes, randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { excerpt, ToolkitError } from '../../../kernel/index.ts';
import { isOwnedByThisAccount } from '../project/untrusted-location.ts';
import { checkKey, type HostKeyTexts } from './key-text.ts';

/** Maximum bytes of a key file: more than two keys and some blanks. */
const maxBytes = 64 * 1024;

/**
 * Reads the keys from the file `key` in this folder. The first line signs; a second one is accepted too. Creates a missing file
 * atomically, readable for this account only; of processes that start together, one creates it for all. Throws CONFIG_INVALID for a file
 * that others could have read or written, and file system errors when it cannot be created.
 */
export function keysInFolder(folder: string): HostKeyTexts {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  checkPrivate(folder, lstatSync(folder));
  const file = path.join(folder, 'key');
  return read(file) ?? make(file);
}

/** Reads the key file. Undefined when it does not exist. */
function read(file: string): HostKeyTexts | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw wrong(file, code === 'ELOOP' ? 'it is a symbolic link' : `this account cannot read it (${code})`, error);
  }
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile() || stats.size > maxBytes) throw wrong(file, 'it is no file with a key');
    checkPrivate(file, stats);
    // Own text: a key written by this program
    return parse(file, readFileSync(descriptor, 'utf8'));
  } finally {
    closeSync(descriptor);
  }
}

function parse(file: string, text: string): HostKeyTexts {
  const lines = text.split('\n').map((line) => line.trim());
  const [current, previous, more] = lines.filter((line) => line !== '');
  if (current === undefined || more !== undefined)
    throw wrong(file, 'expected one line with the key, and at most one more with the key before it');
  for (const key of [current, previous]) if (key !== undefined) checkKey(`The key in ${excerpt(file)}`, key);
  return { current, ...(previous === undefined ? {} : { previous }) };
}

function make(file: string): HostKeyTexts {
  const made = `${file}.${randomUUID()}`;
  try {
    const descriptor = openSync(made, 'wx', 0o600);
    try {
      // Some file systems ignore permissions.
      if (!isPrivate(fstatSync(descriptor))) throw new Error(`the file system of ${file} cannot keep it from others`);
      writeFileSync(descriptor, `${randomBytes(32).toString('base64url')}\n`);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    try {
      linkSync(made, file);
    } catch (error) {
      // Another process was first.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  } finally {
    rmSync(made, { force: true });
  }
  const keys = read(file);
  if (keys === undefined) throw new Error(`${file} was removed at once`);
  return keys;
}

function checkPrivate(file: string, stats: Stats): void {
  if (!isOwnedByThisAccount(stats)) throw wrong(file, 'it belongs to another account');
  if (stats.isSymbolicLink()) throw wrong(file, 'it is a symbolic link');
  if (isPrivate(stats)) return;
  const mode = (stats.mode & 0o777).toString(8);
  throw wrong(file, `others may read or write it (mode ${mode}): anyone with the key can sign what this server trusts`);
}

/** True when only this account has access. Windows protects the application data of an account itself. */
function isPrivate({ mode }: Stats): boolean {
  return process.platform === 'win32' || (mode & 0o077) === 0;
}

function wrong(place: string, why: string, cause?: unknown): ToolkitError {
  return new ToolkitError(
    'CONFIG_INVALID',
    `The key of this host in ${excerpt(place)} is refused: ${why}. Remove it, and a new one is made, or set TOOLKIT_KEY.`,
    {},
    { cause },
  );
}
