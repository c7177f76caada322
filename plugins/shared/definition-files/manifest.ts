import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { addChecksum, verifyChecksum } from '../host-cache/checksum.ts';
import { codeRoot, runsFromSource } from '../project/layout.ts';

/** Looks up the value of a text. Undefined when the text is unknown. */
export type KnownValues = (text: string) => unknown;

/** `core`: the tools of this program. `packages`: those of the provider packages of the same repository. */
export type ManifestName = 'core' | 'packages';

const purpose = 'manifest';

/**
 * Returns the values of the definition files in this build, by the hash of their text; a changed file is unknown. Stored with the
 * program's code; a manifest beside tools is never trusted. Empty when the program was not built. Read on first use, which a start with a
 * link cache does not need.
 */
export function builtManifest(name: ManifestName): KnownValues {
  let known: KnownValues | undefined;
  return (text) => {
    known ??= readManifest(manifestFile(name));
    return known(text);
  };
}

/** Reads a manifest. A missing or incomplete file has no values. */
export function readManifest(file: string): KnownValues {
  try {
    // Own text: sealed by the build, or by this host.
    const values = JSON.parse(String(verifyChecksum(purpose, readFileSync(file)))) as Readonly<Record<string, unknown>>;
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
  await writeFile(file, addChecksum(purpose, Buffer.from(JSON.stringify(values))));
}

/** Returns the path of a manifest. When run from sources, that of the build in `dist`. */
export function manifestFile(name: ManifestName): string {
  return path.join(codeRoot(), ...(runsFromSource ? ['dist'] : []), 'manifests', `${name}.values`);
}

function keyOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
