import { type CommandFlag, type Complete, excerpt, type Risk, riskLevels, type Tool, ToolkitError } from '../../kernel/index.ts';
import { oneOf } from './flag-values.ts';
import type { Style } from './paint.ts';
import { providerOf } from './provider-of.ts';

/** How a risk is painted. */
export const riskStyles: Readonly<Record<Risk, Style>> = { low: 'good', medium: 'warning', high: 'bad' };

/** Which tools a command looks at, from the flags `choiceFlags`. */
export interface ToolChoice {
  readonly provider?: string;
  readonly risk?: Risk;
}

const providers: Complete = async ({ createKernel }) => {
  const kernel = await createKernel();
  try {
    return providersOf([...kernel.registry.tools.values()]);
  } finally {
    await kernel.close();
  }
};

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

/** Throws INVALID_PARAMETERS for a provider that has no tool. */
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

export function isChosen(tool: Tool, { provider, risk: level }: ToolChoice): boolean {
  return (provider ?? providerOf(tool)) === providerOf(tool) && (level ?? tool.risk) === tool.risk;
}

function providersOf(tools: readonly Tool[]): readonly string[] {
  return [...new Set(tools.map(providerOf))].sort();
}
