import { type Kernel, type Tool, ToolkitError } from '../../../../../kernel/index.ts';
import { heldByWord } from '../../../../shared/approval/held-by-word.ts';
import { providerOf } from '../../../../shared/exposure/provider-of.ts';
import { toolFilter } from '../../../../shared/exposure/tool-filter.ts';
import { optionsOf } from '../../../options-of.ts';
import { few } from '../../../terminal/few.ts';
import { count, type Finding } from './finding.ts';

/** Lists, by provider, the tools that run when the model itself claims an approval. Empty when there are none. */
export function checkOwnWord(kernel: Kernel): Finding[] {
  const { tools } = kernel.registry;
  const held = new Set(heldByWord(kernel, offeredTools(kernel)));
  if (held.size === 0) return [];
  const byProvider = new Map<string, string[]>();
  for (const name of held) {
    const tool = tools.get(name);
    const provider = tool === undefined ? 'none' : providerOf(tool);
    byProvider.set(provider, [...(byProvider.get(provider) ?? []), name]);
  }
  return [
    {
      check: 'Unverified',
      state: 'warning',
      message: `${count(held.size, 'tool')} that a person must approve can run when the model itself says that one did`,
      details: [...byProvider].map(([provider, names]) => `${provider}: ${few(names)}`),
      hint: 'Have the person asked: "--approval elicit", or approvalGate({ mode: "elicit" }) without elicitFallback; the client must be able to ask.',
    },
  ];
}

/** Returns no tool for a wrong filter: the check of approval reports it. */
function offeredTools(kernel: Kernel): readonly Tool[] {
  const { registry } = kernel;
  const { tools, excludeTools } = optionsOf(kernel, 'mcp') as { tools?: readonly string[]; excludeTools?: readonly string[] };
  try {
    return [...registry.tools.values()].filter(toolFilter(tools, excludeTools, registry.tools.keys()));
  } catch (error) {
    if (!ToolkitError.is(error)) throw error;
    return [];
  }
}
