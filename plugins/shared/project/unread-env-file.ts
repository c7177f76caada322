import { open } from 'node:fs/promises';
import path from 'node:path';
import type { Kernel } from '../../../kernel/index.ts';
import { strictUtf8 } from '../text/utf8.ts';

/** Maximum bytes. A larger file is no file of settings. */
const maxBytes = 1024 * 1024;

/** The flag that makes a server or command read the file. */
const advice = '--secrets env,dotenv';

/**
 * Returns a sentence when the project's `.env` has values for some of these names, and no resolver reads it. Undefined otherwise, and when
 * the file cannot be read. Compares names as the resolver does: `TOOLKIT_<NAME>` or `<NAME>`.
 */
export async function unreadEnvFile(kernel: Pick<Kernel, 'tapsOf'>, folder: string, names: readonly string[]): Promise<string | undefined> {
  const isRead = kernel.tapsOf('resolveSecrets').some(({ name }) => /(^|[:-])dotenv$/.test(name));
  if (isRead || names.length === 0) return undefined;
  const text = await textOf(path.join(folder, '.env'));
  if (text === undefined) return undefined;
  const { parse } = await import('dotenv');
  const values: Record<string, string | undefined> = parse(text);
  const found = names.filter((name) => values[`TOOLKIT_${name}`] || values[name]);
  if (found.length === 0) return undefined;
  const which = found.length === 1 ? found[0] : `${found.length} of them`;
  return `The file .env of the project has ${which}, and no resolver reads it: start with ${advice}, or list { type: dotenv } in the configuration.`;
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    const handle = await open(file, 'r');
    try {
      const facts = await handle.stat();
      // Reading a pipe would block.
      return facts.isFile() && facts.size <= maxBytes ? strictUtf8(await handle.readFile()) : undefined;
    } finally {
      await handle.close();
    }
  } catch {
    return undefined;
  }
}
