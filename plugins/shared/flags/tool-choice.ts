import { type CommandFlag, type Complete, excerpt, type Kernel, riskLevels, type Tool, ToolkitError } from '../../../kernel/index.ts';
import { hasSecrets } from '../exposure/has-secrets.ts';
import { providerOf } from '../exposure/provider-of.ts';
import type { ToolChoice } from '../exposure/tool-choice.ts';
import { emptySource } from './empty-source.ts';
import { parseOneOf } from './values.ts';

/** Completes provider names in a shell. */
export const providerNames: Complete = async ({ createKernel }) => {
  const kernel = await createKernel();
  try {
    return providersOf([...kernel.registry.tools.values()]);
  } finally {
    await kernel.close();
  }
};

/** Flags that limit a command to some of the tools. */
export const choiceFlags: readonly CommandFlag[] = [
  {
    flag: '--provider <name>',
    description: 'only tools of this provider; core for the built-in ones, none for tools without a provider',
    complete: providerNames,
  },
  {
    flag: '--risk <level>',
    description: `only tools of this risk: ${riskLevels.join(', ')}`,
    parse: parseOneOf(riskLevels),
    complete: async () => riskLevels,
  },
  { flag: '--available', description: 'only tools whose secrets the resolvers have' },
];

/** Returns the tools that `--available` keeps. Resolves secrets only for that flag; throws SECRET_STORE_UNAVAILABLE. */
export async function availableTools(kernel: Kernel, flags: Readonly<Record<string, unknown>>): Promise<readonly Tool[]> {
  const tools = [...kernel.registry.tools.values()];
  if (flags['available'] !== true) return tools;
  await kernel.resolveSecrets();
  return tools.filter((tool) => hasSecrets(kernel, tool));
}

/**
 * Reads provider and risk from the flags. Throws INVALID_PARAMETERS for a provider without tools; for a source without tools, with the reason why it
 * has none.
 */
export function toolChoice(
  flags: Readonly<Record<string, unknown>>,
  tools: readonly Tool[],
  sources: Pick<Kernel['sources'], 'list'>,
): ToolChoice {
  const { provider, risk: level } = flags as ToolChoice;
  const known = providersOf(tools);
  const why = provider === undefined || known.includes(provider) ? undefined : emptySource(provider, sources);
  if (why !== undefined) throw new ToolkitError('INVALID_PARAMETERS', why);
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
