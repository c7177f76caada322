import { type CommandFlag, type Complete, excerpt, riskLevels, type Tool, ToolkitError } from '../../../kernel/index.ts';
import { providerOf } from '../../shared/exposure/provider-of.ts';
import type { ToolChoice } from '../../shared/exposure/tool-choice.ts';
import { oneOf } from './values.ts';

const providers: Complete = async ({ createKernel }) => {
  const kernel = await createKernel();
  try {
    return providersOf([...kernel.registry.tools.values()]);
  } finally {
    await kernel.close();
  }
};

/** The flags of a command that looks at some of the tools. */
export const choiceFlags: readonly CommandFlag[] = [
  {
    flag: '--provider <name>',
    description: 'only tools of this provider; core for the built-in ones, none for tools without a provider',
    complete: providers,
  },
  {
    flag: '--risk <level>',
    description: `only tools of this risk: ${riskLevels.join(', ')}`,
    parse: oneOf(riskLevels),
    complete: async () => riskLevels,
  },
];

/** What `choiceFlags` choose. Throws INVALID_PARAMETERS for a provider that has no tool. */
export function toolChoice(flags: Readonly<Record<string, unknown>>, tools: readonly Tool[]): ToolChoice {
  const { provider, risk: level } = flags as ToolChoice;
  const known = providersOf(tools);
  if (provider !== undefined && !known.includes(provider))
    throw new ToolkitError(
      'INVALID_PARAMETERS',
      `There is no tool of the provider "${excerpt(provider, 100)}". Those there are: ${known.join(', ') || 'none'}.`,
    );
  return { ...(provider === undefined ? {} : { provider }), ...(level === undefined ? {} : { risk: level }) };
}

function providersOf(tools: readonly Tool[]): readonly string[] {
  return [...new Set(tools.map(providerOf))].sort();
}
