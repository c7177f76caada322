import { isPlainObject, type Kernel, riskLevels, type Tool } from '../../../kernel/index.ts';
import { traitsOf } from '../exposure/tool-traits.ts';

/**
 * Names of those tools that only the model's own word holds back: they require approval, and `_toolkit_approved: true` is enough for it.
 * The human policy asks about a tool all the same, from a risk on.
 */
export function heldByWord(
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
