import type { Derivation, MaybeTool, Tool } from '../../../kernel/index.ts';
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

function traitsIn({ definition, origin }: MaybeTool): Traits {
  const { listed = null, requires_approval: gate = false, status } = definition ?? {};
  const isSource = origin?.source !== undefined;
  return {
    listed: isSource ? (listed === 'search' ? 'found' : null) : listed,
    isGated: gate !== false,
    isDraft: status === 'draft',
    isWrittenOut: isSource,
  };
}
