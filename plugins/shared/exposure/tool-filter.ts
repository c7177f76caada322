import { didYouMean, type MaybeTool, ToolkitError } from '../../../kernel/index.ts';
import { anyOf, matcher } from './wildcard.ts';

type IsTool = (tool: MaybeTool) => boolean;

/**
 * Returns a filter of tools: first the allowlist, then the denylist. `*` stands for any characters. Throws CONFIG_INVALID for an entry
 * that matches no tool: such a mistake opens or hides the wrong tool.
 */
export function toolFilter(allow: readonly string[] | undefined, deny: readonly string[] | undefined, known: Iterable<string>): IsTool {
  const names = [...known];
  const isAllowed = namedTools('tools', allow, names) ?? (() => true);
  const isDenied = namedTools('excludeTools', deny, names) ?? (() => false);
  return (tool) => isAllowed(tool) && !isDenied(tool);
}

/**
 * Returns a filter of the tools that an option names. Undefined when the option is not set. Throws CONFIG_INVALID for an entry that
 * matches no tool.
 */
export function namedTools(option: string, entries: readonly string[] | undefined, names: readonly string[]): IsTool | undefined {
  if (entries === undefined) return undefined;
  const unmatched = entries.find((entry) => !names.some(matcher(entry)));
  if (unmatched !== undefined)
    throw new ToolkitError(
      'CONFIG_INVALID',
      `"${unmatched}" in "${option}" matches no tool.${didYouMean(unmatched, names)} Correct it; ${names.length} tools are loaded.`,
    );
  const isNamed = anyOf(entries);
  return ({ name }) => isNamed(name);
}
