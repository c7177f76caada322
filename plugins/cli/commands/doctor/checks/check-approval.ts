import type { Finding } from '../../../../../kernel/index.ts';
import { type Kernel, ToolkitError } from '../../../../../kernel/index.ts';
import { count } from '../../../../shared/checks/count.ts';
import { toolFilter } from '../../../../shared/exposure/tool-filter.ts';
import { optionsOf } from '../../../options-of.ts';

const check = 'Approval';

/** Warns when high-risk tools are listed although no person has to approve them. */
export function checkApproval(kernel: Kernel): Finding {
  const { tools, excludeTools } = optionsOf(kernel, 'mcp') as { tools?: readonly string[]; excludeTools?: readonly string[] };
  let isOffered: ReturnType<typeof toolFilter>;
  try {
    isOffered = toolFilter(tools, excludeTools, kernel.registry.tools.keys());
  } catch (error) {
    if (!ToolkitError.is(error)) throw error;
    return {
      check: 'Tool filter',
      state: 'problem',
      message: error.message,
      hint: 'Correct the options of the plugin mcp: the server does not start.',
    };
  }
  const risky = [...kernel.registry.tools.values()].filter((tool) => tool.risk === 'high' && isOffered(tool));
  const gated = risky.filter(({ definition }) => (definition.requires_approval ?? false) !== false).length;
  if (risky.length === 0) return { check, state: 'ok', message: 'no tool of high risk is offered' };
  if (optionsOf(kernel, 'policy-human')['enableHITL'] === true)
    return { check, state: 'ok', message: `${count(risky.length, 'high-risk tool')} offered; a person is asked (policy-human)` };
  const hasGate = kernel.plugins.some(({ name }) => name === 'approval-gate');
  const { mode = 'flag' } = optionsOf(kernel, 'approval-gate');
  const some = `${count(risky.length, 'high-risk tool')} offered`;
  if (hasGate && mode !== 'flag' && gated === risky.length)
    return { check, state: 'ok', message: `${some}; a person is asked (gate mode ${mode})` };
  const open = risky.length - gated;
  const words = [
    ...(gated > 0 && hasGate && mode === 'flag' ? [`${runs(gated)} when the caller claims that a person agreed (gate mode flag)`] : []),
    ...(gated > 0 && !hasGate ? [`${gated} should require approval, and no plugin "approval-gate" is listed`] : []),
    ...(open > 0 ? [`${runs(open)} without approval`] : []),
    ...(Object.keys(optionsOf(kernel, 'policy-rules')).length > 0 ? ['unless a rule of policy-rules says otherwise'] : []),
  ];
  return {
    check,
    state: 'warning',
    message: `${some}: ${words.join('; ')}`,
    hint: 'Have a person asked: list approvalGate({ mode: "elicit" }) for those that require approval, policyHuman({ enableHITL: true }) for all. Or leave tools out: mcp({ excludeTools: […] }).',
  };
}

function runs(number: number): string {
  return number === 1 ? '1 runs' : `${number} run`;
}
