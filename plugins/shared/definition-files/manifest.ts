import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** The parsed values of the definition files of a package, by the hash of their text: a file that has changed is simply not found. */
const fileName = 'manifest.json';

/** Looks up the value of a text. A package without a manifest, or with a broken one, knows none. */
export async function readManifest(root: string): Promise<(text: string) => unknown> {
  try {
    const values = (JSON.parse(await readFile(path.join(root, fileName), 'utf8')) ?? {}) as Readonly<Record<string, unknown>>;
    return (text) => {
      const key = keyOf(text);
      return Object.hasOwn(values, key) ? values[key] : undefined;
    };
  } catch {
    return () => undefined;
  }
}

export async function writeManifest(root: string, files: readonly { readonly text: string; readonly value: unknown }[]): Promise<void> {
  const values = Object.fromEntries(files.map(({ text, value }) => [keyOf(text), value]));
  await writeFile(path.join(root, fileName), `${JSON.stringify(values)}\n`);
}

function keyOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
