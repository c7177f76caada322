import path from 'node:path';
import { lockFileName } from '../../shared/lock/lock-file-name.ts';
import { readPlainFile } from '../../shared/lock/plain-file.ts';
import { textOfFile } from '../../shared/text/utf8.ts';
import { type LockedEntries, type LockedSection, lockedSections } from '../items/lock-item.ts';
import { readLines } from './read-lines.ts';

/** Reads the entries. Empty without a lock. Throws CONFIG_INVALID for a lock that cannot be understood. */
export async function readLock(folder: string): Promise<LockedEntries> {
  const file = path.join(folder, lockFileName);
  const bytes = await readPlainFile(file);
  const entries = bytes === undefined ? undefined : readLines(textOfFile(bytes, file));
  return entries ?? readWithYaml(folder);
}

async function readWithYaml(folder: string): Promise<LockedEntries> {
  const { readSection } = await import('../../shared/lock/lock-file.ts');
  const { digestsSection } = await import('./locked-entries.ts');
  const read = async (section: LockedSection) => [section, await readSection(folder, digestsSection(section))] as const;
  return Object.fromEntries(await Promise.all(lockedSections.map(read))) as unknown as LockedEntries;
}
