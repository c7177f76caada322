import type { MaybeTool, Registry, Tool } from '../../../kernel/index.ts';

/** True for a tool that goes with the results of all others: whichever tools an operator allows, it is offered with them. */
export function isCompanion({ origin }: MaybeTool): boolean {
  return origin?.isCompanion === true;
}

/** Returns the tools of a registry, and those that go with their results, by name. */
export function withCompanions({ tools, companions }: Registry): readonly Tool[] {
  const all: Tool[] = [...tools.values()];
  for (const companion of companions.values()) {
    const index = all.findIndex(({ name }) => name > companion.name);
    all.splice(index === -1 ? all.length : index, 0, companion);
  }
  return all;
}
