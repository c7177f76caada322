import { type ProviderDefinition, placeholdersIn, renderText, ToolkitError } from '../../kernel/index.ts';
import { noOauth2Error } from './authorization-url.ts';

/**
 * Returns the authorization endpoint of a provider, with values for `{NAME}` and `${NAME}`. A `{NAME}` at the beginning is the base of the address.
 * Throws CONFIG_INVALID for a provider without the endpoint, and MISSING_PARAMETER for a value that is not set.
 */
export async function resolveAuthUrl(
  { provider: { name: provider }, oauth2, parameter_mapping: mapping = [] }: ProviderDefinition,
  resolve: (secret: string) => Promise<string | undefined>,
): Promise<string> {
  if (oauth2 === undefined) throw noOauth2Error(provider);
  const { auth_url: template, grant } = oauth2;
  if (template === undefined) {
    const message = `The provider "${provider}" has no "auth_url" in its "oauth2": with the grant "${grant}" no person opens a URL.`;
    throw new ToolkitError('CONFIG_INVALID', message);
  }
  const values = new Map<string, string>();
  const text = template.replaceAll('${', '{');
  for (const name of placeholdersIn(text)) {
    const { env_pattern: secret = name, default: byDefault } = mapping.find(({ parameter }) => parameter === name) ?? {};
    const value = (await resolve(secret)) ?? byDefault;
    if (value === undefined) throw new ToolkitError('MISSING_PARAMETER', `The auth_url of "${provider}" is not known. Set ${secret}.`);
    values.set(name, text.startsWith(`{${name}}`) ? value : encodeURIComponent(value));
  }
  return renderText(text, (name) => values.get(name)) as string;
}
