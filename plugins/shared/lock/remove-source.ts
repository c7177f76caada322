import { rm } from 'node:fs/promises';
import path from 'node:path';
import { documentsSection } from './documents-section.ts';
import { changeSection, type LockSection, lockFolderName } from './lock-file.ts';
import { refuseLinkedFolder } from './plain-file.ts';
import { upstreamsSection } from './upstreams-section.ts';

/** The sections of sources. */
export const sourceSections = { documents: documentsSection, upstreams: upstreamsSection } as const;

const definitionsFiles = { documents: '.json', upstreams: '.upstream.json' } as const;

/** Returns the path of the accepted definitions of a source. `folder`: that of the configuration. */
export function definitionsFile(folder: string, section: keyof typeof sourceSections, source: string): string {
  return path.join(folder, lockFolderName, `${source}${definitionsFiles[section]}`);
}

/** Removes the entry of a source and its definitions. Returns false when there is none. */
export async function removeSource(folder: string, section: keyof typeof sourceSections, source: string): Promise<boolean> {
  let isFound = false;
  await changeSection(folder, sourceSections[section] as LockSection<unknown>, async (entries) => {
    const left = new Map(entries);
    isFound = left.delete(source);
    return isFound ? left : undefined;
  });
  if (!isFound) return false;
  const file = definitionsFile(folder, section, source);
  await refuseLinkedFolder(path.dirname(file));
  await rm(file, { force: true });
  return true;
}
