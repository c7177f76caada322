import { type Finding, type Kernel, riskLevels, type Tool, ToolkitError } from '../../../kernel/index.ts';
import { type ApprovalPractice, approvalPractice } from '../../shared/approval/approval-practice.ts';
import { approvalWays, countNames } from '../../shared/approval/approval-ways.ts';
import { count } from '../../shared/checks/count.ts';
import { serverListing } from '../../shared/exposure/server-listing.ts';
import { toolFilter } from '../../shared/exposure/tool-filter.ts';
import { traitsOf } from '../../shared/exposure/tool-traits.ts';

/**
 * Notes that no one but the client of a call can decide about it. It is no fault: a client that asks its person is enough. Empty where the
 * caller's own claim opens the gate (mode `flag`), where no tool needs a person, and where there is another way.
 */
export function checkWays(kernel: Pick<Kernel, 'facts' | 'registry'>): readonly Finding[] {
  const ways = kernel.facts(approvalWays).map(({ value }) => value);
  const asked = kernel.facts(approvalPractice).flatMap(({ value }) => toolsAsked(value));
  const unreachable = asked.filter(({ kind }) => countNames(ways, kind) === 0);
  const tools = servedTools(kernel).filter((tool) => unreachable.some(({ asksFor }) => asksFor(tool)));
  if (tools.length === 0) return [];
  return [
    {
      check: 'Approval',
      state: 'ok',
      message: `${count(tools.length, 'tool')} can be approved by the client of the call alone: one that cannot ask its person is refused`,
      hint: 'To decide elsewhere too, list storeLibsql() or storePostgres() (then "toolkit approvals"), or give approvals() a webhook.',
    },
  ];
}

interface Asked {
  /** Kind of the reason: see `Reason.kind`. */
  readonly kind: string;
  readonly asksFor: (tool: Tool) => boolean;
}

/** Returns the tools whose calls a person must approve. Empty for rules, which depend on the call, and where a claim is enough. */
function toolsAsked(practice: ApprovalPractice): readonly Asked[] {
  if (practice.kind === 'person')
    return [{ kind: 'human', asksFor: ({ risk }) => riskLevels.indexOf(risk) >= riskLevels.indexOf(practice.minRisk) }];
  if (practice.kind === 'gate' && practice.mode !== 'flag') return [{ kind: 'gate', asksFor: (tool) => traitsOf(tool).isGated }];
  return [];
}

/** Returns the tools of the server, or all where its filter is wrong: another check reports that. */
function servedTools(kernel: Pick<Kernel, 'facts' | 'registry'>): readonly Tool[] {
  const byName = kernel.registry.tools;
  const all = [...byName.values()];
  const { tools, excludeTools } = kernel.facts(serverListing)[0]?.value ?? {};
  try {
    return all.filter(toolFilter(tools, excludeTools, byName.keys()));
  } catch (error) {
    if (!ToolkitError.is(error)) throw error;
    return all;
  }
}
