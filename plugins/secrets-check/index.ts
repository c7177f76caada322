import { apiVersion, type Command, definePlugin, type Kernel, type Tool, ToolkitError } from '../../kernel/index.ts';
import { list } from '../shared/flag-values.ts';
import { toolFilter } from '../shared/tool-filter.ts';

/** What is known about one name: never its value. */
interface Finding {
  readonly secret: string;
  /** The resolver that has it; absent when nobody has. */
  readonly resolver?: string;
  /** Some tool cannot do without. */
  readonly required: boolean;
  readonly tools: readonly string[];
}

const secretsCheckCommand: Command = {
  name: 'secrets check',
  description:
    'Show which secrets the tools need and which resolver has them; no value is printed. Ends with 1 when a required one is missing.',
  flags: [
    { flag: '--tools <names>', description: 'comma-separated tools to look at; * stands for any characters (default: all)', parse: list },
    { flag: '--exclude <names>', description: 'comma-separated tools to leave out of those', parse: list },
    { flag: '--json', description: 'print JSON' },
  ],
  async run({ flags, createKernel, write }) {
    const kernel = await createKernel();
    try {
      const isVisible = toolFilter(
        flags['tools'] as string[] | undefined,
        flags['exclude'] as string[] | undefined,
        kernel.registry.tools.keys(),
      );
      const findings = await findingsOf(kernel, [...kernel.registry.tools.values()].filter(isVisible));
      write(flags['json'] === true ? `${JSON.stringify(findings, null, 2)}\n` : report(findings));
      const missing = findings.filter(({ resolver, required }) => required && resolver === undefined).map(({ secret }) => secret);
      if (missing.length > 0)
        throw new ToolkitError(
          'MISSING_PARAMETER',
          `${missing.length === 1 ? 'A required secret is' : `${missing.length} required secrets are`} missing: ${missing.join(', ')}. Set the environment variable of that name, or add it to a configured secret store.`,
        );
    } finally {
      await kernel.close();
    }
  },
};

/** Adds `toolkit secrets check`. */
export const secretsCheck = definePlugin({ name: 'secrets-check', apiVersion, commands: [secretsCheckCommand], apply() {} });

async function findingsOf(kernel: Kernel, tools: readonly Tool[]): Promise<Finding[]> {
  const needs = tools.flatMap((tool) => tool.credentials.map(({ secret, required }) => ({ secret, required, tool: tool.name })));
  const names = [...new Set(needs.map(({ secret }) => secret))].sort();
  await kernel.resolveSecrets(names);
  return names.map((secret) => {
    const own = needs.filter((need) => need.secret === secret);
    const resolver = kernel.resolverOf(secret);
    return {
      secret,
      ...(resolver === undefined ? {} : { resolver }),
      required: own.some(({ required }) => required),
      tools: own.map(({ tool }) => tool),
    };
  });
}

function report(findings: readonly Finding[]): string {
  if (findings.length === 0) return 'No tool needs a secret.\n';
  const lines = findings.map(({ secret, resolver, required, tools }) => {
    const state = resolver === undefined ? (required ? 'MISSING' : 'not set, optional') : `found by ${resolver}`;
    return `${secret}: ${state} (${tools.join(', ')})`;
  });
  return `${lines.join('\n')}\n`;
}
