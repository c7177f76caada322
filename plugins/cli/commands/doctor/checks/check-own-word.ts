import { type Kernel, type Tool, ToolkitError } from '../../../../../kernel/index.ts';
import { heldByWord } from '../../../../shared/approval/held-by-word.ts';
import { providerOf } from '../../../../shared/exposure/provider-of.ts';
import { toolFilter } from '../../../../shared/exposure/tool-filter.ts';
import { optionsOf } from '../../../options-of.ts';
import { few } from '../../../terminal/few.ts';
import { count, type Finding } from './finding.ts';

/** The offered tools that only the model's own word holds back, by provider. Nothing where there is none. */
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
      check: 'Own word',
      state: 'warning',
      message: `${count(held.size, 'tool')} that a person must approve can run when the model itself says that one did`,
      details: [...byProvider].map(([provider, names]) => `${provider}: ${few(names)}`),
      hint: 'Have the person asked: "--approval elicit", or approvalGate({ mode: "elicit" }) without elicitFallback; the client must be able to ask.',
    },
  ];
}

/** A filter that is wrong is told by the check of approval. */
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
