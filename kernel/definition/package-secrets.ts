import type { Problem } from './problem.ts';
import type { ProviderDefinition } from './provider-definition.ts';
import { createReporter } from './reporter.ts';
import { placeholdersIn } from './template.ts';
import type { Provider, Tool } from './tool.ts';

/** What names of this service begin with; resolvers look for `TOOLKIT_<NAME>` before `<NAME>`. */
export const ownPrefix = 'TOOLKIT_';

/**
 * Finds the secrets that tools of installed packages name and may not have. A package may use names that begin with the name of its provider
 * (`slack`: `SLACK_…`), and names that its provider file has in `parameter_mapping` or as placeholders, unless they begin with the name of
 * another provider that is there, or with that of this service. The operator may let it use more.
 */
export class ForeignSecrets {
  readonly #prefixes: readonly string[];
  readonly #declared = new Map<Provider | undefined, ReadonlySet<string>>();

  constructor(providers: Iterable<string>) {
    this.#prefixes = [ownPrefix, ...[...providers].map(prefixOf)];
  }

  of(tool: Pick<Tool, 'name' | 'origin' | 'provider' | 'credentials'>): readonly Problem[] {
    const { origin, provider, credentials } = tool;
    if (origin.package === undefined || credentials.length === 0) return [];
    const { name: packageName, secrets: allowed } = origin.package;
    const declared = this.#declaredBy(provider);
    const report = createReporter(tool, origin);
    for (const secret of new Set(credentials.map((need) => need.secret))) {
      const holder = holderOf(secret, this.#prefixes);
      const isOwn = holder === undefined ? declared.has(secret) : provider !== undefined && holder === prefixOf(provider.name);
      if (isOwn || allowed.includes(secret)) continue;
      const why =
        holder === undefined
          ? `which its provider file does not declare. List it in the parameter_mapping of the provider`
          : `which belongs to ${holder === ownPrefix ? 'this service' : 'another provider'}. Use a name of its own`;
      report.error(
        '',
        `the package "${packageName}" names the secret ${secret}, ${why}, or let it: secretsOf: { "${packageName}": ["${secret}"] }`,
      );
    }
    return report.problems;
  }

  #declaredBy(provider: Provider | undefined): ReadonlySet<string> {
    const known = this.#declared.get(provider) ?? namesIn(provider?.definition);
    this.#declared.set(provider, known);
    return known;
  }
}

/** The parameters of a tool of an installed package that name secrets: what an operator opens by `namedSecrets` is for other tools. */
export function secretNaming({ name: tool, origin, parameters }: Tool): readonly Problem[] {
  if (origin.package === undefined) return [];
  const report = createReporter({ name: tool }, origin);
  for (const [name, parameter] of Object.entries(parameters)) {
    if (parameter.names_secret !== true) continue;
    report.error(
      `/parameters/${name}/names_secret`,
      `lets the package "${origin.package.name}" use any named secret. Expected "secrets" with the names that it needs`,
    );
  }
  return report.problems;
}

function namesIn(provider: ProviderDefinition | undefined): ReadonlySet<string> {
  if (provider === undefined) return new Set();
  const { $defs: _shared, parameter_mapping: mapping = [], ...rest } = provider;
  const renamed = new Map(mapping.map(({ parameter, env_pattern: secret }) => [parameter, secret]));
  return new Set([...renamed.values(), ...placeholdersIn(rest).filter((name) => !renamed.has(name))]);
}

/** The longest of the prefixes that a name begins with. */
function holderOf(secret: string, prefixes: readonly string[]): string | undefined {
  const matching = prefixes.filter((prefix) => secret.toUpperCase().startsWith(prefix));
  return matching.sort((a, b) => b.length - a.length)[0];
}

function prefixOf(provider: string): string {
  return `${provider.replaceAll('-', '_').toUpperCase()}_`;
}
