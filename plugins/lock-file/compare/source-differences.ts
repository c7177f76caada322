import { excerpt, type Kernel } from '../../../kernel/index.ts';
import { lockFileName, readSection } from '../../shared/lock/lock-file.ts';
import { type LockSource, lockSource } from '../../shared/lock/lock-source.ts';
import { sourceSection } from '../../shared/lock/remove-source.ts';

/** A difference that a source reports itself, an entry without its source, or a source without its entry. */
export interface SourceDifference {
  readonly section: LockSource['section'];
  readonly name: string;
  readonly change: 'new' | 'changed' | 'removed';
  /** Messages, each with the command that accepts. */
  readonly reported: readonly string[];
}

/** Returns the sources that differ from what was accepted, by name. Asks none: servers are compared by `toolkit accept` and where they are served. */
export async function sourceDifferences(kernel: Pick<Kernel, 'sources' | 'facts'>, folder: string): Promise<readonly SourceDifference[]> {
  const stated = kernel.facts(lockSource).map(({ value }) => value);
  const differences: SourceDifference[] = [];
  for (const section of ['documents', 'upstreams'] as const) {
    const entries = await readSection(folder, sourceSection(section));
    const own = new Map(stated.filter((source) => source.section === section).map((source) => [source.name, source]));
    for (const { name, entry } of own.values()) {
      if (entry === 'none') continue;
      if (entries.has(name)) differences.push(...changesOf(kernel, section, name));
      else differences.push({ section, name, change: 'new', reported: [`has no entry. See it and accept it: toolkit accept ${name}`] });
    }
    for (const name of entries.keys()) {
      const source = own.get(name);
      if (source !== undefined && source.entry !== 'none') continue;
      const why = source === undefined ? 'the configuration no longer has it' : 'its "pin: off" wants no entry';
      differences.push({ section, name, change: 'removed', reported: [`${why}. Remove the entry: toolkit accept ${name}`] });
    }
  }
  return differences.sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Returns what a source reports about itself. One that is down has not changed; one whose accepted copy was edited says so. */
function changesOf({ sources }: Pick<Kernel, 'sources'>, section: LockSource['section'], name: string): readonly SourceDifference[] {
  const status = sources.list().find((source) => source.name === name);
  if (status === undefined) return [];
  const { state, reported, failure = '' } = status;
  if (failure.includes(lockFileName)) return [{ section, name, change: 'changed', reported: [excerpt(failure, 400)] }];
  return state === 'quarantined' ? [{ section, name, change: 'changed', reported }] : [];
}
