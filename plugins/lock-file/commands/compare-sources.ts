import { type CommandInvocation, type Kernel, messageOf, ToolkitError } from '../../../kernel/index.ts';
import { readSection } from '../../shared/lock/lock-file.ts';
import { type LockSource, lockSource, type SourceComparison } from '../../shared/lock/lock-source.ts';
import { removeSource, sourceSection } from '../../shared/lock/remove-source.ts';
import { terminalText } from '../../shared/text/visible-text.ts';
import { hasLock } from '../accepted/has-lock.ts';

/** A source that differs from its entry, to be accepted as a whole or by some of its items. */
export interface DifferingSource {
  readonly name: string;
  readonly text: string;
  /** The chosen items. @default all */
  readonly items?: readonly string[];
  review(): Promise<void>;
  accept(): Promise<string>;
}

/**
 * Compares the sources that `names` concern with their entries: those named, those whose tools are named, and all without names. A source that
 * cannot be reached is noted; a named one throws. Entries without a source are to be removed.
 */
export async function compareSources(
  invocation: CommandInvocation,
  kernel: Pick<Kernel, 'facts'>,
  folder: string,
  names: readonly string[],
): Promise<readonly DifferingSource[]> {
  const found: DifferingSource[] = [];
  const stated = kernel.facts(lockSource).map(({ value }) => value);
  const isLocked = hasLock(folder);
  for (const source of stated) {
    if (source.entry === 'none' || (source.entry === 'optional' && !isLocked)) continue;
    if (names.length > 0 && !names.some((name) => concerns(name, source))) continue;
    const comparison = await source.compare(invocation).catch((error: unknown) => {
      if (names.includes(source.name)) throw error;
      invocation.setExitCode(1);
      invocation.note(`${source.name} was not compared: ${terminalText(messageOf(error))}\n`);
    });
    const differing = comparison?.differs === true ? chosenOf(source, comparison, names) : undefined;
    if (differing !== undefined) found.push(differing);
  }
  return isLocked ? [...found, ...(await orphans(stated, folder, names))] : found;
}

function concerns(name: string, source: Pick<LockSource, 'name'>): boolean {
  // The URI of a resource does not say whose it is.
  return name === source.name || name.startsWith(`${source.name}_`) || name.includes(':');
}

function chosenOf({ name }: LockSource, comparison: SourceComparison, names: readonly string[]): DifferingSource | undefined {
  const { items } = comparison;
  if (names.length === 0 || names.includes(name))
    return { name, text: comparison.text(), review: () => comparison.review(), accept: () => comparison.accept() };
  if (items === undefined) {
    const received = names.find((one) => one.startsWith(`${name}_`)) ?? '';
    throw new ToolkitError(
      'INVALID_PARAMETERS',
      `"${terminalText(received)}" is of the document "${name}", which is accepted as a whole. Type: toolkit accept ${name}`,
    );
  }
  const chosen = items.filter((item) => names.includes(item));
  if (chosen.length === 0) return undefined;
  return {
    name,
    text: comparison.text(chosen),
    items: chosen,
    review: () => comparison.review(chosen),
    accept: () => comparison.accept(chosen),
  };
}

/** Returns entries whose source the configuration no longer has. */
async function orphans(stated: readonly LockSource[], folder: string, names: readonly string[]): Promise<readonly DifferingSource[]> {
  const found: DifferingSource[] = [];
  for (const section of ['documents', 'upstreams'] as const) {
    const known = new Set(stated.filter((source) => source.section === section && source.entry !== 'none').map(({ name }) => name));
    for (const name of (await readSection(folder, sourceSection(section))).keys()) {
      if (known.has(name) || (names.length > 0 && !names.includes(name))) continue;
      const accept = async (): Promise<string> => {
        await removeSource(folder, section, name);
        return `Removed the entry of "${name}", which the configuration no longer has.`;
      };
      const text = `- ${section === 'documents' ? 'document' : 'server'} ${name} (no longer in the configuration)\n`;
      found.push({ name, text, review: async () => {}, accept });
    }
  }
  return found;
}
