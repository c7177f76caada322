import { rm } from 'node:fs/promises';
import path from 'node:path';
import { documentsSection } from './documents-section.ts';
import { changeSection, type LockSection, lockFolderName } from './lock-file.ts';
import { refuseLinkedFolder } from './plain-file.ts';
import { upstreamsSection } from './upstreams-section.ts';

type SourceSection = 'documents' | 'upstreams';

/** Returns a section of sources by its name. */
export function sourceSection(section: SourceSection): LockSection<unknown> {
  return (section === 'documents' ? documentsSection : upstreamsSection) as LockSection<unknown>;
}

/** Returns the path of the accepted definitions of a source. `folder`: that of the configuration. */
export function definitionsFile(folder: string, section: SourceSection, source: string): string {
  return path.join(folder, lockFolderName, `${source}${section === 'documents' ? '' : '.upstream'}.json`);
}

/** Removes the entry of a source and its definitions. Returns false when there is none. */
export async function removeSource(folder: string, section: SourceSection, source: string): Promise<boolean> {
  let isFound = false;
  await changeSection(folder, sourceSection(section), async (entries) => {
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
