import { isPlainObject, type JsonObject, type ToolAnnotations } from '../../../kernel/index.ts';

/** The values that clients assume (MCP, Schema, ToolAnnotations). */
const assumed = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true } as const;

type Hint = keyof typeof assumed;

/**
 * Returns title and annotations of a tool for clients: as the server sent them, with the hints that count here. A hint that the server did not send
 * is there only where a client would assume another value. `title`: the operator's.
 */
export function listedMembers(tool: JsonObject, hints: ToolAnnotations, title = tool['title']): JsonObject {
  const sent = isPlainObject(tool['annotations']) ? tool['annotations'] : undefined;
  const isShown = (hint: Hint): boolean => {
    const value = hints[hint];
    if (value === undefined) return false;
    if (sent?.[hint] !== undefined) return true;
    // It says nothing beside a tool that only reads.
    if (hint === 'destructiveHint' && hints.readOnlyHint === true) return false;
    return value !== assumed[hint];
  };
  const shown = (Object.keys(assumed) as Hint[]).filter(isShown).map((hint) => [hint, hints[hint]]);
  const own = typeof sent?.['title'] === 'string' ? { title: sent['title'] } : {};
  const isAny = sent !== undefined || shown.length > 0;
  return {
    ...(typeof title === 'string' ? { title } : {}),
    ...(isAny ? { annotations: { ...own, ...Object.fromEntries(shown) } } : {}),
  };
}
