import { type Kernel, riskLevels, type Tool } from '../../../kernel/index.ts';
import { traitsOf } from '../exposure/tool-traits.ts';
import { approvalPractice } from './approval-practice.ts';

/**
 * Returns the sorted names of tools that run on an unverified approval: they require approval, and the model's own `_toolkit_approved:
 * true` is enough. Leaves out tools that a policy asks a person about because of their risk.
 */
export function toolsWithUnverifiedApproval(kernel: Pick<Kernel, 'approvalProof' | 'facts'>, tools: Iterable<Tool>): readonly string[] {
  const practices = kernel.facts(approvalPractice).map(({ value }) => value);
  if (kernel.approvalProof !== 'flag' || !practices.some(({ kind }) => kind === 'gate')) return [];
  const isAsked = ({ risk }: Tool): boolean =>
    practices.some((one) => one.kind === 'person' && riskLevels.indexOf(risk) >= riskLevels.indexOf(one.minRisk));
  return [...tools]
    .filter((tool) => traitsOf(tool).isGated && !isAsked(tool))
    .map(({ name }) => name)
    .sort();
}
