import path from 'node:path';
import type { Registry, Skill, Tool } from '../../../../kernel/index.ts';

/** Returns the listed skills. A skill with tools in its folder is listed if one of them is visible; one without tools always is. */
export function listedSkills(registry: Registry, visible: readonly Tool[]): readonly Skill[] {
  if (registry.skills.size === 0) return [];
  const withTools = foldersAbove(registry.tools.values());
  const withVisible = foldersAbove(visible);
  const isListed = ({ origin: { directory } }: Skill): boolean =>
    directory === undefined || withVisible.has(directory) || !withTools.has(directory);
  return [...registry.skills.values()].filter(isListed);
}

/** Returns the folders of these tools and all their parent folders. */
function foldersAbove(tools: Iterable<Tool>): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const { origin } of tools)
    for (let folder = origin.directory; folder !== undefined && !folders.has(folder); folder = path.dirname(folder)) folders.add(folder);
  return folders;
}
