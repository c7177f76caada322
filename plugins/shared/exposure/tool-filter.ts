import { didYouMean, type MaybeTool, ToolkitError } from '../../../kernel/index.ts';
import { anyOf, matcher } from './wildcard.ts';

type IsTool = (tool: MaybeTool) => boolean;

/**
 * Which tools are offered: the allowlist first, then the denylist on what it leaves. `*` stands for any characters. Throws
 * CONFIG_INVALID for an entry that matches nothing, because it is a mistake that opens or hides the wrong tool.
 */
export function toolFilter(allow: readonly string[] | undefined, deny: readonly string[] | undefined, known: Iterable<string>): IsTool {
  const names = [...known];
  const isAllowed = namedTools('tools', allow, names) ?? (() => true);
  const isDenied = namedTools('excludeTools', deny, names) ?? (() => false);
  return (tool) => isAllowed(tool) && !isDenied(tool);
}

/** The tools that an option names; undefined where it is not given. Throws CONFIG_INVALID for an entry that matches nothing. */
export function namedTools(option: string, entries: readonly string[] | undefined, names: readonly string[]): IsTool | undefined {
  if (entries === undefined) return undefined;
  const stray = entries.find((entry) => !names.some(matcher(entry)));
  if (stray !== undefined)
    throw new ToolkitError(
      'CONFIG_INVALID',
      `"${stray}" in "${option}" matches no tool.${didYouMean(stray, names)} Correct it; ${names.length} tools are loaded.`,
    );
  const isNamed = anyOf(entries);
  return ({ name }) => isNamed(name);
}
