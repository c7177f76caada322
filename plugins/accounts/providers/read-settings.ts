import { isOperatorsMember, type Provider, placeholdersIn, renderText, ToolkitError, toUrl } from '../../../kernel/index.ts';
import type { SettingsUse } from '../../shared/oauth/account-service.ts';
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

  async read(provider: Provider, { byDevice }: SettingsUse = {}): Promise<OAuthSettings> {
    const missing = await this.#missingClient(provider);
    if (missing !== undefined) throw missing;
    const options = byDevice === undefined ? {} : { byDevice };
    const settings = await settingsOf(provider, (name) => this.#valueOf(provider, name), options);
    return { ...settings, operatorOrigins: operatorOrigins(provider, settings) };
  }

  async hasClient(provider: Provider): Promise<boolean> {
    return (await this.#missingClient(provider)) === undefined;
  }

  async redirectUri(provider: Provider): Promise<string | undefined> {
    const template = provider.definition.oauth2?.redirect_uri;
    if (template === undefined) return undefined;
    const values = new Map<string, string>();
    for (const name of placeholdersIn(template)) {
      const value = await this.#valueOf(provider, name);
      if (value === undefined) return undefined;
      values.set(name, value);
    }
    return renderText(template.replaceAll('${', '{'), (name) => values.get(name)) as string;
  }

  /** Returns the value of `{NAME}` or `${NAME}`: that of the chain, else the default of the definition. */
  async #valueOf({ definition: { parameter_mapping: mapping = [] } }: Provider, name: string): Promise<string | undefined> {
    const { env_pattern: secret = name, default: byDefault } = mapping.find(({ parameter }) => parameter === name) ?? {};
    return (await this.#values.find([secret])).get(secret) ?? byDefault;
  }

  async #missingClient(provider: Provider): Promise<ToolkitError | undefined> {
    const clientId = provider.definition.oauth2?.client_id;
    if (clientId === undefined) return missingClient(provider, undefined);
    for (const name of placeholdersIn(clientId))
      if ((await this.#valueOf(provider, name)) === undefined) return missingClient(provider, name);
    return undefined;
  }
}

const addresses = [
  ['auth_url', 'authUrl'],
  ['device_url', 'deviceUrl'],
  ['token_url', 'tokenUrl'],
  ['refresh_url', 'refreshUrl'],
  ['revoke_url', 'revokeUrl'],
] as const;

/** Returns the origins of the addresses that the operator wrote. */
function operatorOrigins(provider: Provider, settings: OAuthSettings): readonly string[] {
  const origins = addresses.flatMap(([member, key]) => {
    const url = isOperatorsMember(provider, `oauth2.${member}`) ? settings[key] : undefined;
    return url === undefined ? [] : [toUrl(url).origin];
  });
  return [...new Set(origins)];
}

function missingClient({ name, definition }: Provider, variable: string | undefined): ToolkitError {
  const url = definition.provider.documentation_url;
  const where = url === undefined ? '' : ` See ${url}.`;
  const set =
    variable === undefined
      ? 'write its id as "client_id" of its "oauth2"'
      : `set ${variable} to its id, in the environment or a secret store`;
  return new ToolkitError(
    'CONFIG_INVALID',
    `Nobody can log in to "${name}" yet: register a client (an "OAuth app") there, and ${set}.${where}`,
    { provider: name, ...(variable === undefined ? {} : { secret: variable }) },
  );
}
