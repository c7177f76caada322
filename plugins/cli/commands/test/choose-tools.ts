import { existsSync } from 'node:fs';
import path from 'node:path';
import { didYouMean, excerpt, type Registry, type Tool, ToolkitError } from '../../../../kernel/index.ts';
import { anyOf } from '../../../shared/exposure/wildcard.ts';
import { brokenDefinitions } from './broken-definitions.ts';
import { isWithin } from './is-within.ts';

/**
 * Returns the tools that the words choose: names (`*` matches any characters), files or folders. Without words, the project's own tools. Throws
 * INVALID_PARAMETERS for a word that matches no tool.
 */
export function chooseTools(registry: Registry, words: readonly string[], cwd: string): readonly Tool[] {
  const all = [...registry.tools.values()];
  if (words.length === 0) {
    const own = all.filter(({ origin }) => origin.trust === 'operator');
    if (own.length > 0 || brokenDefinitions(registry, [], cwd).length > 0) return own;
    throw new ToolkitError(
      'INVALID_PARAMETERS',
      `There are no tools of your own here. "toolkit new tool" writes one; toolkit test '*' tests all tools that there are.`,
    );
  }
  const chosen = new Set(words.flatMap((word) => toolsOf(registry, all, word, cwd)));
  return all.filter((tool) => chosen.has(tool));
}

/** Returns none when the definitions that the word matches do not load. */
function toolsOf(registry: Registry, all: readonly Tool[], word: string, cwd: string): readonly Tool[] {
  const isNamed = anyOf([word]);
  const named = all.filter(({ name }) => isNamed(name));
  if (named.length > 0) return named;
  const target = path.resolve(cwd, word);
  const within = all.filter(({ origin }) => isWithin(origin.file, target));
  if (within.length > 0 || brokenDefinitions(registry, [word], cwd).length > 0) return within;
  if (existsSync(target))
    throw new ToolkitError(
      'INVALID_PARAMETERS',
      `No tool of this configuration is defined in ${target}. List its folder under toolPaths; "toolkit validate ${word}" says what is wrong with the definitions in it.`,
    );
  const nearest = didYouMean(
    word,
    all.map(({ name }) => name),
  );
  throw new ToolkitError(
    'INVALID_PARAMETERS',
    `"${excerpt(word, 100)}" is neither a tool nor a file or folder.${nearest} "toolkit list" shows the tools.`,
  );
}
