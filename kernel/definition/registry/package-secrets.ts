import { pathOf } from '../../schema/check-value.ts';
import { createReporter } from '../check/reporter.ts';
import { secretPrefixOf } from '../schema/credentials.ts';
import { type Problem, problemIn } from '../schema/problem.ts';
import type { ProviderDefinition } from '../schema/provider-definition.ts';
import { placeholdersIn } from '../schema/template.ts';
import type { Provider, Tool } from '../schema/tool.ts';

/** Prefix of this service's variables. Resolvers look for `TOOLKIT_<NAME>` before `<NAME>`. */
export const ownPrefix = 'TOOLKIT_';

/**
 * Finds secrets that tools of installed packages must not use. A package may use names that begin with the name of its provider (`slack`:
 * `SLACK_…`), and names in the `parameter_mapping` or placeholders of its provider file, unless they begin with the name of another known provider
 * or of this service. The operator may allow more.
 */
export class ForeignSecrets {
  readonly #prefixes: readonly string[];
  readonly #declared = new Map<Provider | undefined, ReadonlySet<string>>();

  constructor(providers: Iterable<string>) {
    this.#prefixes = [ownPrefix, ...[...providers].map(secretPrefixOf)];
  }

  /** Finds names in `oauth2` of a package's provider: values that a login would supply to other tools, and secrets that it would send. */
  ofLogin(provider: Provider): readonly Problem[] {
    const { origin, definition } = provider;
    const { oauth2, parameter_mapping: mapping = [] } = definition;
    if (origin.package === undefined || oauth2 === undefined) return [];
    const { provides = {}, ...others } = oauth2;
    const secretOf = new Map(mapping.map(({ parameter, env_pattern: secret }) => [parameter, secret]));
    const sent = placeholdersIn(others).map((name) => secretOf.get(name) ?? name);
    const { name: packageName, secrets: allowed } = origin.package;
    return [...new Set([...Object.keys(provides), ...sent])].flatMap((secret) => {
      const holder = holderOf(secret, this.#prefixes);
      if (holder === undefined || holder === secretPrefixOf(provider.name) || allowed.includes(secret)) return [];
      const pointer = Object.hasOwn(provides, secret) ? `/oauth2/provides/${secret}` : '/oauth2';
      const message = `the package "${packageName}" names ${secret}, ${foreign(holder, packageName, secret)}`;
      return [problemIn(origin, { path: pathOf(pointer), pointer, message })];
    });
  }

  of(tool: Pick<Tool, 'name' | 'origin' | 'provider' | 'credentials'>): readonly Problem[] {
    const { origin, provider, credentials } = tool;
    if (origin.package === undefined || credentials.length === 0) return [];
    const { name: packageName, secrets: allowed } = origin.package;
    const declared = this.#declaredBy(provider);
    const report = createReporter(tool, origin);
    for (const secret of new Set(credentials.map((need) => need.secret))) {
      const holder = holderOf(secret, this.#prefixes);
      const isOwn = holder === undefined ? declared.has(secret) : provider !== undefined && holder === secretPrefixOf(provider.name);
      if (isOwn || allowed.includes(secret)) continue;
      const why =
        holder === undefined
          ? `which its provider file does not declare. List it in the parameter_mapping of the provider, ${permit(packageName, secret)}`
          : foreign(holder, packageName, secret);
      report.error('', `the package "${packageName}" names the secret ${secret}, ${why}`);
    }
    return report.problems;
  }

  #declaredBy(provider: Provider | undefined): ReadonlySet<string> {
    const known = this.#declared.get(provider) ?? namesIn(provider?.definition);
    this.#declared.set(provider, known);
    return known;
  }
}

/** Returns problems for parameters with `names_secret` in a tool of an installed package: `namedSecrets` never applies to them. */
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

/** Returns the longest prefix with which the name begins. */
function holderOf(secret: string, prefixes: readonly string[]): string | undefined {
  const matching = prefixes.filter((prefix) => secret.toUpperCase().startsWith(prefix));
  return matching.sort((a, b) => b.length - a.length)[0];
}

function foreign(holder: string, packageName: string, secret: string): string {
  return `which belongs to ${holder === ownPrefix ? 'this service' : 'another provider'}. Use a name of its own, ${permit(packageName, secret)}`;
}

function permit(packageName: string, secret: string): string {
  return `or let it: secretsOf: { "${packageName}": ["${secret}"] }`;
}
