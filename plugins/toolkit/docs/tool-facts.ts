import type { Tool } from '../../../kernel/index.ts';
import { gateCondition } from '../../shared/approval/gate-condition.ts';
import { providerOf } from '../../shared/exposure/provider-of.ts';

/** Returns the group of a core tool, such as `core: files`, else its provider. */
export function groupOf(tool: Tool): string {
  const provider = providerOf(tool);
  const [, group] = /[/\\]core[/\\]([^/\\]+)[/\\]/.exec(tool.origin.file ?? '') ?? [];
  return provider === 'core' && group !== undefined ? `${provider}: ${group}` : provider;
}

/** Describes when a call of a model needs approval: `no`, `yes`, or `method is POST`. */
export function approvalWords({ definition: { requires_approval: gate = false } }: Tool): string {
  if (gate === false) return 'no';
  return gateCondition(gate) ?? 'yes';
}
