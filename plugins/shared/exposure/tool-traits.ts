import type { Derivation, MaybeTool, Tool } from '../../../kernel/index.ts';
import { build } from '../project/build.ts';

/** What is asked of every tool when a server starts. */
export interface Traits {
  readonly listed: Tool['definition']['listed'] | null;
  readonly isGated: boolean;
  /** Models never see a draft. */
  readonly isDraft: boolean;
}

/** For `sink.derive`: which tools are listed is known without a look at their definitions then. */
export const traits: Derivation<Traits> = {
  name: 'traits',
  fingerprint: build,
  isSmall: true,
  of: traitsIn,
};

/** Of a definition that was refused nothing is known. */
export function traitsOf(tool: MaybeTool): Traits {
  return tool.derived?.(traits) ?? traitsIn(tool);
}

function traitsIn({ definition }: MaybeTool): Traits {
  const { listed = null, requires_approval: gate = false, status } = definition ?? {};
  return { listed, isGated: gate !== false, isDraft: status === 'draft' };
}
