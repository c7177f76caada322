import { didYouMean, type Tool, ToolkitError } from '../../kernel/index.ts';

/**
 * Which tools are offered: the allowlist first, then the denylist on what it leaves. `*` stands for any characters. Throws
 * CONFIG_INVALID for an entry that matches nothing, because it is a mistake that opens or hides the wrong tool.
 */
export function toolFilter(
  allow: readonly string[] | undefined,
  deny: readonly string[] | undefined,
  known: Iterable<string>,
): (tool: Tool) => boolean {
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

function anyOf(entries: readonly string[]): (name: string) => boolean {
  const matchers = entries.map(matcher);
  return (name) => matchers.some((matches) => matches(name));
}

function matcher(entry: string): (name: string) => boolean {
  if (!entry.includes('*')) return (name) => name === entry;
  const pattern = new RegExp(
    `^${entry
      .split('*')
      .map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}$`,
  );
  return (name) => pattern.test(name);
}
