import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { codeRoot, runsFromSource } from '../project/layout.ts';

/** The value of a text that is known, undefined for any other. */
export type KnownValues = (text: string) => unknown;

/** `core`: the tools of this program. `packages`: those of the provider packages of the same repository. */
export type ManifestName = 'core' | 'packages';

/**
 * The values of the definition files that this program was built with, by the hash of their text: a file that has changed since is not known. It
 * lies with the code of the program; what lies beside tools is never believed. A program that was not built knows none.
 */
export async function builtManifest(name: ManifestName): Promise<KnownValues> {
  return readManifest(manifestFile(name));
}

/** A file that is missing or broken knows none. */
export async function readManifest(file: string): Promise<KnownValues> {
  try {
    const values = (JSON.parse(await readFile(file, 'utf8')) ?? {}) as Readonly<Record<string, unknown>>;
    return (text) => {
      const key = keyOf(text);
      return Object.hasOwn(values, key) ? values[key] : undefined;
    };
  } catch {
    return () => undefined;
  }
}

export async function writeManifest(file: string, files: readonly { readonly text: string; readonly value: unknown }[]): Promise<void> {
  const values = Object.fromEntries(files.map(({ text, value }) => [keyOf(text), value]));
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify(values)}\n`);
}

/** Sources take it from the build beside them. */
export function manifestFile(name: ManifestName): string {
  return path.join(codeRoot(), ...(runsFromSource ? ['dist'] : []), 'manifests', `${name}.json`);
}

function keyOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
