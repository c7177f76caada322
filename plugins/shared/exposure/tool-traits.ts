import type { Derivation, MaybeTool, Tool } from '../../../kernel/index.ts';
import { isPlainObject } from '../../../kernel/index.ts';
import { build } from '../project/build.ts';

/** Facts about each tool that a server needs at its start. */
export interface Traits {
  /**
   * `always` and `search`: listed also, or only, where a model sees the search tools. `found`: a tool of a source that is never listed, and found by searching.
   * null: listed with all other tools. A source cannot have its tools listed always.
   */
  readonly listed: Tool['definition']['listed'] | 'found' | null;
  readonly isGated: boolean;
  /** True for a draft, which models never see. */
  readonly isDraft: boolean;
  /** True for a tool whose listed schema is written out: one of a source. */
  readonly isWrittenOut: boolean;
  /** True for a tool of a source that clients of MCP see as the source wrote it, because it is a server of MCP itself: `x-mcp.verbatim`. */
  readonly isVerbatim: boolean;
}

/** Derivation for `sink.derive`, so that these facts are known without reading the definitions. */
export const traits: Derivation<Traits> = {
  name: 'traits',
  fingerprint: build,
  isSmall: true,
  of: traitsIn,
};

/** Returns the traits of a tool. A refused definition has the defaults. */
export function traitsOf(tool: MaybeTool): Traits {
  return tool.derived?.(traits) ?? traitsIn(tool);
}

/** The members for clients of MCP that a definition has in `x-mcp`. */
export interface ClientMembers {
  /** True to list the tool as its server wrote it. */
  readonly verbatim?: boolean;
  /** The title, where the server gives one. */
  readonly title?: string;
  /** The hints to show. */
  readonly annotations?: Readonly<Record<string, unknown>>;
  readonly icons?: readonly Readonly<Record<string, unknown>>[];
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** Returns the members for clients of MCP of a definition. Members of another form are left out. */
export function clientMembers(definition: unknown): ClientMembers {
  const given = isPlainObject(definition) ? definition['x-mcp'] : undefined;
  if (!isPlainObject(given)) return {};
  const { verbatim, title, annotations, icons, _meta } = given;
  return {
    ...(verbatim === true ? { verbatim } : {}),
    ...(typeof title === 'string' ? { title } : {}),
    ...(isPlainObject(annotations) ? { annotations } : {}),
    ...(Array.isArray(icons) ? { icons } : {}),
    ...(isPlainObject(_meta) ? { _meta: withoutOwnNames(_meta) } : {}),
  };
}

/** Returns metadata without this program's own namespace. */
export function withoutOwnNames(meta: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(meta).filter(([name]) => !name.startsWith('toolkit/')));
}

function traitsIn({ definition, origin }: MaybeTool): Traits {
  const { listed = null, requires_approval: gate = false, status } = definition ?? {};
  const isSource = origin?.source !== undefined;
  return {
    listed: isSource ? (listed === 'search' ? 'found' : null) : listed,
    isGated: gate !== false,
    isDraft: status === 'draft',
    isWrittenOut: isSource,
    isVerbatim: isSource && clientMembers(definition).verbatim === true,
  };
}
