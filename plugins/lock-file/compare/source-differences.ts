import { excerpt, type Kernel } from '../../../kernel/index.ts';
import { documentsSection } from '../../shared/lock/documents-section.ts';
import { lockFileName, readSection } from '../../shared/lock/lock-file.ts';

/** A difference that a source reports itself, or an entry of the lock without its source. */
export interface SourceDifference {
  readonly section: 'sources' | 'documents';
  readonly name: string;
  readonly change: 'changed' | 'removed';
  /** The messages of the source, each with the command that accepts. */
  readonly reported: readonly string[];
}

/** Returns the sources that differ from what was accepted, by name. They compare themselves, and accept by commands of their own. */
export async function sourceDifferences({ sources }: Pick<Kernel, 'sources'>, folder: string): Promise<readonly SourceDifference[]> {
  const statuses = sources.list();
  const changed = statuses.flatMap(({ name, state, reported, failure = '' }): SourceDifference[] => {
    // A source that is down has not changed; one whose accepted copy was edited says so.
    if (failure.includes(lockFileName)) return [{ section: 'sources', name, change: 'changed', reported: [excerpt(failure, 400)] }];
    return state === 'quarantined' ? [{ section: 'sources', name, change: 'changed', reported }] : [];
  });
  const known = new Set(statuses.map(({ name }) => name));
  const documents = await readSection(folder, documentsSection);
  const orphans = [...documents.keys()].filter((name) => !known.has(name));
  const removed = orphans.map((name) => ({ section: 'documents', name, change: 'removed', reported: [] }) as const);
  return [...changed, ...removed].sort((one, other) => (one.name < other.name ? -1 : 1));
}
