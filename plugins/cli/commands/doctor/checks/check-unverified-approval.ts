import type { Finding } from '../../../../../kernel/index.ts';
import { type Kernel, type Tool, ToolkitError } from '../../../../../kernel/index.ts';
import { toolsWithUnverifiedApproval } from '../../../../shared/approval/unverified-approval.ts';
import { count } from '../../../../shared/checks/count.ts';
import { providerOf } from '../../../../shared/exposure/provider-of.ts';
import { serverListing } from '../../../../shared/exposure/server-listing.ts';
import { toolFilter } from '../../../../shared/exposure/tool-filter.ts';
import { formatFew } from '../../../../shared/terminal/few.ts';

/** Lists, by provider, the tools that run when the model itself claims an approval. Empty when there are none. */
export function checkUnverifiedApproval(kernel: Kernel): Finding[] {
  const { tools } = kernel.registry;
  const unverified = new Set(toolsWithUnverifiedApproval(kernel, offeredTools(kernel)));
  if (unverified.size === 0) return [];
  const byProvider = new Map<string, string[]>();
  for (const name of unverified) {
    const tool = tools.get(name);
    const provider = tool === undefined ? 'none' : providerOf(tool);
    byProvider.set(provider, [...(byProvider.get(provider) ?? []), name]);
  }
  return [
    {
      check: 'Unverified',
      state: 'warning',
      message: `${count(unverified.size, 'tool')} that a person must approve can run when the model itself says that one did`,
      details: [...byProvider].map(([provider, names]) => `${provider}: ${formatFew(names)}`),
      hint: 'Have the person asked: "--approval elicit", or approvalGate({ mode: "elicit" }) without elicitFallback; the client must be able to ask.',
    },
  ];
}

/** Returns no tool for a wrong filter: the check of approval reports it. */
function offeredTools(kernel: Kernel): readonly Tool[] {
  const { registry } = kernel;
  const { tools, excludeTools } = kernel.facts(serverListing)[0]?.value ?? {};
  try {
    return [...registry.tools.values()].filter(toolFilter(tools, excludeTools, registry.tools.keys()));
  } catch (error) {
    if (!ToolkitError.is(error)) throw error;
    return [];
  }
}
