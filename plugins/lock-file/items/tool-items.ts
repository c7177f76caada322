import { type Derivation, type JsonObject, type Kernel, LongWork, type Registry, type Tool } from '../../../kernel/index.ts';
import { lockSource } from '../../shared/lock/lock-source.ts';
import { build } from '../../shared/project/build.ts';
import { baseOf, codeFilesOf } from './code-files.ts';
import { codeDigest, definitionDigest, plainJson } from './digests.ts';
import type { LockItem } from './lock-item.ts';

/** The digest of the served definition, cached with the link results so that a start need not read all definitions. */
export const lockDigest: Derivation<string> = {
  name: 'lock digest',
  fingerprint: build,
  isSmall: true,
  of: (tool) => definitionDigest(servedDefinition(tool)),
};

/** Returns the definition of a tool with the facts of its provider; of the shared schemas only those that the tool reaches. */
export function servedDefinition({ definition, provider }: Tool): JsonObject {
  const { $defs: _shared, ...facts } = provider?.definition ?? ({} as { readonly $defs?: unknown });
  return plainJson({ definition, ...(provider === undefined ? {} : { provider: facts }) });
}

export interface ToolItemsOptions {
  /** Leaves other tools out. @default all */
  readonly isWanted?: (name: string) => boolean;
  /** Contents of code files that were read already. @default none */
  readonly reads?: Map<string, unknown>;
}

/**
 * Returns the tools that the lock may have. Tools of this program come with it; those of sources with an entry of their own (`lockSource`) are part
 * of that entry.
 */
export async function toolItems(
  { tools }: Pick<Registry, 'tools'>,
  kernel: Pick<Kernel, 'linkOptions' | 'facts'>,
  folder: string,
  { isWanted = () => true, reads = new Map() }: ToolItemsOptions = {},
): Promise<readonly LockItem[]> {
  const work = new LongWork();
  const { executionTypes } = kernel.linkOptions;
  const sources = new Set(kernel.facts(lockSource).map(({ value }) => value.name));
  const items: LockItem[] = [];
  for (const tool of tools.values()) {
    if (tool.origin.isBuiltIn === true || sources.has(tool.origin.source?.name ?? '') || !isWanted(tool.name)) continue;
    if (work.isDue) await work.yieldToEventLoop();
    const entries = tool.codeFiles(executionTypes);
    // The files of functions are followed here, in packages too; only programs name theirs.
    const further = entries.length > 0 ? [] : (tool.pinned(executionTypes, reads)?.files ?? []);
    const [first = further[0]?.file] = entries;
    const files = first === undefined ? new Map<string, string>() : codeFilesOf(entries, further, baseOf(first, folder), reads);
    const code = codeDigest(files);
    items.push({
      section: 'tools',
      name: tool.name,
      digest: tool.derived(lockDigest),
      ...(code === undefined ? {} : { code }),
      definition: () => servedDefinition(tool),
      files,
    });
  }
  return items;
}
