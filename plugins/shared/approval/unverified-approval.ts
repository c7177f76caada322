import { isPlainObject, type Kernel, riskLevels, type Tool } from '../../../kernel/index.ts';
import { traitsOf } from '../exposure/tool-traits.ts';

/**
 * Returns the sorted names of tools that run on an unverified approval: they require approval, and the model's own `_toolkit_approved:
 * true` is enough. Leaves out tools that the human policy asks about because of their risk.
 */
export function toolsWithUnverifiedApproval(
  { approvalProof, plugins }: Pick<Kernel, 'approvalProof' | 'plugins'>,
  tools: Iterable<Tool>,
): readonly string[] {
  if (approvalProof !== 'flag' || !plugins.some(({ name }) => name === 'approval-gate')) return [];
  const human = plugins.find(({ name }) => name === 'policy-human')?.options;
  const { enableHITL = false, hitlMinRiskLevel = 'high' } = isPlainObject(human) ? human : {};
  const isAsked = ({ risk }: Tool): boolean =>
    enableHITL === true && riskLevels.indexOf(risk) >= riskLevels.indexOf(hitlMinRiskLevel as never);
  return [...tools]
    .filter((tool) => traitsOf(tool).isGated && !isAsked(tool))
    .map(({ name }) => name)
    .sort();
}
