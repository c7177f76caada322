import { didYouMean, ToolkitError } from '../../../kernel/index.ts';
import { anyOf, matcher } from './wildcard.ts';

/**
 * Which tools are offered: the allowlist first, then the denylist on what it leaves. `*` stands for any characters. Throws
 * CONFIG_INVALID for an entry that matches nothing, because it is a mistake that opens or hides the wrong tool.
 */
export function toolFilter(
  allow: readonly string[] | undefined,
  deny: readonly string[] | undefined,
  known: Iterable<string>,
): (tool: { readonly name: string }) => boolean {
  const names = [...known];
  for (const [option, entries] of Object.entries({ tools: allow ?? [], excludeTools: deny ?? [] })) {
    const stray = entries.find((entry) => !names.some(matcher(entry)));
    if (stray !== undefined)
      throw new ToolkitError(
        'CONFIG_INVALID',
        `"${stray}" in "${option}" matches no tool.${didYouMean(stray, names)} Correct it; ${names.length} tools are loaded.`,
      );
  }
  const isAllowed = anyOf(allow ?? ['*']);
  const isDenied = anyOf(deny ?? []);
  return ({ name }) => isAllowed(name) && !isDenied(name);
}
