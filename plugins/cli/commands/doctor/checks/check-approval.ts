import type { Finding } from '../../../../../kernel/index.ts';
import { type Kernel, ToolkitError } from '../../../../../kernel/index.ts';
import { approvalPractice } from '../../../../shared/approval/approval-practice.ts';
import { count } from '../../../../shared/checks/count.ts';
import { serverListing } from '../../../../shared/exposure/server-listing.ts';
import { toolFilter } from '../../../../shared/exposure/tool-filter.ts';

const check = 'Approval';

/** Warns when high-risk tools are listed although no person has to approve them. */
export function checkApproval(kernel: Kernel): Finding {
  const [server] = kernel.facts(serverListing);
  const { tools, excludeTools } = server?.value ?? {};
  let isOffered: ReturnType<typeof toolFilter>;
  try {
    isOffered = toolFilter(tools, excludeTools, kernel.registry.tools.keys());
  } catch (error) {
    if (!ToolkitError.is(error)) throw error;
    return {
      check: 'Tool filter',
      state: 'problem',
      message: error.message,
      hint: `Correct the options of the plugin ${server?.plugin}: the server does not start.`,
    };
  }
  const risky = [...kernel.registry.tools.values()].filter((tool) => tool.risk === 'high' && isOffered(tool));
  const gated = risky.filter(({ definition }) => (definition.requires_approval ?? false) !== false).length;
  if (risky.length === 0) return { check, state: 'ok', message: 'no tool of high risk is offered' };
  const practices = kernel.facts(approvalPractice);
  const some = `${count(risky.length, 'high-risk tool')} offered`;
  const asking = practices.find(({ value }) => value.kind === 'person');
  if (asking !== undefined) return { check, state: 'ok', message: `${some}; a person is asked (${asking.plugin})` };
  const mode = practices.flatMap(({ value }) => (value.kind === 'gate' ? value.mode : []))[0];
  const hasGate = mode !== undefined;
  const rules = practices.find(({ value }) => value.kind === 'rules');
  if (hasGate && mode !== 'flag' && gated === risky.length)
    return { check, state: 'ok', message: `${some}; a person is asked (gate mode ${mode})` };
  const open = risky.length - gated;
  const words = [
    ...(gated > 0 && hasGate && mode === 'flag' ? [`${runs(gated)} when the caller claims that a person agreed (gate mode flag)`] : []),
    ...(gated > 0 && !hasGate ? [`${gated} should require approval, and no plugin "approval-gate" is listed`] : []),
    ...(open > 0 ? [`${runs(open)} without approval`] : []),
    ...(rules === undefined ? [] : [`unless a rule of ${rules.plugin} says otherwise`]),
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
