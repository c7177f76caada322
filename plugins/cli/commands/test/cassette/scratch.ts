import { mkdir, mkdtemp, readdir, realpath, rm, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { isPlainObject, ToolkitError } from '../../../../../kernel/index.ts';
import type { Cassette } from './cassette.ts';

/** Placeholder for the path of the folder in a cassette. */
const folderPlaceholder = '{folder}';

/** Fixed modification time of the files: the size of an archive may depend on it. */
const fixedTime = new Date('2026-01-02T03:04:05Z');

/** The folder that tools may use during a test: a new one in the system's folder for temporary files. */
export class Scratch {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async open(): Promise<Scratch> {
    const outer = await realpath(await mkdtemp(path.join(os.tmpdir(), 'toolkit-test-')));
    // A fixed last segment, because tools may print it.
    const folder = path.join(outer, 'project');
    await mkdir(folder);
    return new Scratch(folder);
  }

  /** Empties the folder, then writes these files. */
  async fill(files: Cassette['files'] = {}): Promise<void> {
    for (const name of await readdir(this.folder)) await rm(path.join(this.folder, name), { recursive: true, force: true });
    for (const [name, content] of Object.entries(files)) {
      const file = path.resolve(this.folder, name);
      if (!file.startsWith(this.folder + path.sep))
        throw new ToolkitError('TOOL_INVALID', `The cassette names the file "${name}", which is not inside of the folder of the test.`);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, typeof content === 'string' ? content : Buffer.from(content.base64, 'base64'));
      await utimes(file, fixedTime, fixedTime);
    }
  }

  /** Replaces the path of the folder by the placeholder, for a cassette. */
  toCassette<T>(value: T): T {
    return replaceText(value, this.folder, folderPlaceholder) as T;
  }

  /** Replaces the placeholder of a cassette by the path of the folder. */
  fromCassette<T>(value: T): T {
    return replaceText(value, folderPlaceholder, this.folder) as T;
  }

  async close(): Promise<void> {
    await rm(path.dirname(this.folder), { recursive: true, force: true });
  }
}

/** Replaces in texts and keys, at any depth. */
function replaceText(value: unknown, text: string, by: string): unknown {
  if (typeof value === 'string') return value.replaceAll(text, by);
  if (Array.isArray(value)) return value.map((item) => replaceText(item, text, by));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key.replaceAll(text, by), replaceText(item, text, by)]));
}
