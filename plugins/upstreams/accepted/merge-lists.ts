import type { JsonObject } from '../../../kernel/index.ts';
import type { ServerLists } from '../server-lists.ts';

/** The lists of a server: the kind of their items, and the member that names one. */
export const listKinds = [
  ['tools', 'tool', 'name'],
  ['resources', 'resource', 'uri'],
  ['resourceTemplates', 'resource template', 'uriTemplate'],
  ['prompts', 'prompt', 'name'],
] as const;

/** An item of a server's lists, by the name that the server gives. */
export interface ListItemName {
  readonly kind: 'tool' | 'resource' | 'resource template' | 'prompt' | 'instructions';
  readonly name: string;
}

/** Returns the accepted lists with the chosen items as the server has them now: new, changed, or gone. */
export function mergeLists(before: ServerLists | undefined, now: ServerLists, isChosen: (item: ListItemName) => boolean): ServerLists {
  const merged = Object.fromEntries(
    listKinds.map(([list, kind, key]) => {
      const isTaken = (item: JsonObject): boolean => isChosen({ kind, name: String(item[key]) });
      return [list, [...(before?.[list] ?? []).filter((item) => !isTaken(item)), ...now[list].filter(isTaken)]];
    }),
  ) as unknown as Pick<ServerLists, 'tools' | 'resources' | 'resourceTemplates' | 'prompts'>;
  const { instructions } = isChosen({ kind: 'instructions', name: 'instructions' }) ? now : (before ?? {});
  return { ...merged, ...(instructions === undefined ? {} : { instructions }), completes: now.completes };
}
