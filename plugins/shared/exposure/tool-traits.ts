import type { Derivation, MaybeTool, Tool } from '../../../kernel/index.ts';
import { build } from '../project/build.ts';

/** Facts about each tool that a server needs at its start. */
export interface Traits {
  readonly listed: Tool['definition']['listed'] | null;
  readonly isGated: boolean;
  /** True for a draft, which models never see. */
  readonly isDraft: boolean;
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

function traitsIn({ definition }: MaybeTool): Traits {
  const { listed = null, requires_approval: gate = false, status } = definition ?? {};
  return { listed, isGated: gate !== false, isDraft: status === 'draft' };
}
