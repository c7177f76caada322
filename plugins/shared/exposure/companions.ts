import type { MaybeTool, Registry, Tool } from '../../../kernel/index.ts';

/** True for a tool that handles results of all other tools. It is listed with whatever tools the operator allows. */
export function isCompanion({ origin }: MaybeTool): boolean {
  return origin?.isCompanion === true;
}

/** Returns the tools of a registry together with companion tools, sorted by name. */
export function withCompanions({ tools, companions }: Registry): readonly Tool[] {
  const all: Tool[] = [...tools.values()];
  for (const companion of companions.values()) {
    const index = all.findIndex(({ name }) => name > companion.name);
    all.splice(index === -1 ? all.length : index, 0, companion);
  }
  return all;
}
