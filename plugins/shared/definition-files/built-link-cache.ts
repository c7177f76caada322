import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { addChecksum, verifyChecksum } from '../host-cache/checksum.ts';
import { build } from '../project/build.ts';
import { codeRoot } from '../project/layout.ts';
import { LinkCache } from './link-cache.ts';
import type { ManifestName } from './manifest.ts';

/**
 * Reads the link cache that the build made of its own definition files, with the standard plugins. It holds for this build and schema
 * version only. Empty when it is missing.
 */
export function readBuiltLinkCache(name: ManifestName, schemaVersion: string): LinkCache {
  try {
    return new LinkCache(verifyChecksum(keyOf(schemaVersion), readFileSync(fileOf(name))));
  } catch {
    return new LinkCache();
  }
}

export async function writeBuiltLinkCache(name: ManifestName, schemaVersion: string, cache: LinkCache): Promise<void> {
  await writeFile(fileOf(name), addChecksum(keyOf(schemaVersion), Buffer.concat(await cache.serialize())));
}

function fileOf(name: ManifestName): string {
  return path.join(codeRoot(), 'manifests', `${name}.forms`);
}

function keyOf(schemaVersion: string): string {
  return `forms ${build} ${schemaVersion}`;
}
