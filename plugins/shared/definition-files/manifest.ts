import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { sealed, unsealed } from '../host-cache/sealed.ts';
import { codeRoot, runsFromSource } from '../project/layout.ts';

/** The value of a text that is known, undefined for any other. */
export type KnownValues = (text: string) => unknown;

/** `core`: the tools of this program. `packages`: those of the provider packages of the same repository. */
export type ManifestName = 'core' | 'packages';

const purpose = 'manifest';

/**
 * The values of the definition files that this program was built with, by the hash of their text: a file that has changed since is not known. It
 * lies with the code of the program; what lies beside tools is never believed. A program that was not built knows none. Read when a value is asked
 * for, which a start that knows the linked forms does not.
 */
export function builtManifest(name: ManifestName): KnownValues {
  let known: KnownValues | undefined;
  return (text) => {
    known ??= readManifest(manifestFile(name));
    return known(text);
  };
}

/** A file that is missing or not whole knows none. */
export function readManifest(file: string): KnownValues {
  try {
    // Own text: sealed by the build, or by this host.
    const values = JSON.parse(String(unsealed(purpose, readFileSync(file)))) as Readonly<Record<string, unknown>>;
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
  await writeFile(file, sealed(purpose, Buffer.from(JSON.stringify(values))));
}

/** Sources take it from the build beside them. */
export function manifestFile(name: ManifestName): string {
  return path.join(codeRoot(), ...(runsFromSource ? ['dist'] : []), 'manifests', `${name}.values`);
}

function keyOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
