import { type Provider, placeholdersIn, ToolkitError } from '../../../kernel/index.ts';
import { settingsOf } from '../../shared/oauth/provider-settings.ts';
import type { OAuthSettings } from '../../shared/oauth/types.ts';
import type { ChainValues } from '../chain-values.ts';
import type { SettingsReader } from './account-providers.ts';

/** Reads the OAuth settings of definitions, with values of the resolver chain in place of `${NAME}` and `{NAME}`. */
export class DefinitionSettings implements SettingsReader {
  readonly #values: Pick<ChainValues, 'find'>;

  constructor(values: Pick<ChainValues, 'find'>) {
    this.#values = values;
  }

  async read(provider: Provider): Promise<OAuthSettings> {
    const { definition } = provider;
    const secretOf = secretNames(provider);
    const values = await this.#values.find([...secretOf.values()]);
    const missing = clientVariable(provider, secretOf);
    if (missing !== undefined && !values.has(missing)) throw missingClient(provider, missing);
    return settingsOf(definition, (name) => values.get(secretOf.get(name) ?? name));
  }

  async hasClient(provider: Provider): Promise<boolean> {
    const variable = clientVariable(provider, secretNames(provider));
    if (variable === undefined) return provider.definition.oauth2?.client_id !== undefined;
    return (await this.#values.find([variable])).has(variable);
  }
}

/** Returns the secret's name for each `{NAME}` and `${NAME}` of `oauth2`. */
function secretNames({ definition: { oauth2, parameter_mapping: mapping = [] } }: Provider): ReadonlyMap<string, string> {
  return new Map(
    placeholdersIn(oauth2).map((name) => [name, mapping.find(({ parameter }) => parameter === name)?.env_pattern ?? name] as const),
  );
}

/** Returns the secret that holds the client id; undefined when the definition has the id itself, or none. */
function clientVariable({ definition }: Provider, secretOf: ReadonlyMap<string, string>): string | undefined {
  const [name] = placeholdersIn(definition.oauth2?.client_id);
  return name === undefined ? undefined : secretOf.get(name);
}

function missingClient({ name, definition }: Provider, variable: string): ToolkitError {
  const url = definition.provider.documentation_url;
  const where = url === undefined ? '' : ` See ${url} for where to register.`;
  return new ToolkitError(
    'CONFIG_INVALID',
    `Nobody can log in to "${name}" yet: register a client (an "OAuth app") there, and set ${variable} to its id, in the environment or a secret store.${where}`,
    { provider: name, secret: variable },
  );
}
