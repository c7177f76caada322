import { type Derivation, type JsonObject, type Kernel, LongWork, type Registry, type Tool } from '../../../kernel/index.ts';
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

/**
 * Returns the tools that the lock may have: those of the operator, of packages and of plugins. Tools of this program come with it; those of sources
 * have sections of their own. `isWanted`: leaves others out.
 */
export async function toolItems(
  { tools }: Pick<Registry, 'tools'>,
  { linkOptions }: Pick<Kernel, 'linkOptions'>,
  folder: string,
  isWanted: (name: string) => boolean = () => true,
): Promise<readonly LockItem[]> {
  const work = new LongWork();
  const reads = new Map<string, unknown>();
  const items: LockItem[] = [];
  for (const tool of tools.values()) {
    if (tool.origin.isBuiltIn === true || tool.origin.source !== undefined || !isWanted(tool.name)) continue;
    if (work.isDue) await work.yieldToEventLoop();
    const entries = tool.codeFiles(linkOptions.executionTypes);
    // The files of functions are followed here, in packages too; only programs name theirs.
    const further = entries.length > 0 ? [] : (tool.pinned(linkOptions.executionTypes, reads)?.files ?? []);
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
