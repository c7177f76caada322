import type { Issue } from '../../errors.ts';
import { pathOf } from '../../schema/check-value.ts';
import { didYouMean } from '../../schema/nearest.ts';
import { isSecretName, secretPrefixOf } from '../schema/credentials.ts';
import type { ProviderDefinition } from '../schema/provider-definition.ts';
import { placeholdersIn } from '../schema/template.ts';

type OAuth2 = NonNullable<ProviderDefinition['oauth2']>;
type Mapping = NonNullable<ProviderDefinition['parameter_mapping']>;

const addresses = ['auth_url', 'device_url', 'token_url', 'refresh_url', 'revoke_url', 'issuer', 'redirect_uri'] as const;

/** The address that a grant needs beside `token_url`. */
const addressOf = { code: 'auth_url', device: 'device_url', client_credentials: undefined } as const;

/** Parameters that a login sets itself, by the key that must not have them. */
const reserved = {
  authorization_params:
    'client_id code_challenge code_challenge_method redirect_uri request request_uri response_mode response_type scope state',
  token_params: 'client_id client_secret code code_verifier device_code grant_type redirect_uri refresh_token scope',
} as const;

/** Finds issues of `oauth2` that its schema cannot express. */
export function checkOAuth2({ provider, oauth2, parameter_mapping: mapping = [] }: ProviderDefinition): readonly Issue[] {
  if (oauth2 === undefined) return [];
  return [
    ...missingAddress(oauth2),
    ...addresses.flatMap((key) => wrongPlaceholders(key, oauth2[key], mapping)),
    ...reservedParameters(oauth2),
    ...Object.entries(oauth2.provides ?? {}).flatMap(([name, path]) => wrongProvided(name, path, provider.name, mapping)),
  ];
}

function missingAddress({ grant = 'code', ...oauth2 }: OAuth2): readonly Issue[] {
  const key = addressOf[grant];
  if (key === undefined || oauth2[key] !== undefined) return [];
  return [issue(`/oauth2/${key}`, `is required with the grant "${grant}". Add the address, or another "grant"`)];
}

/** Finds placeholders without a value that may be seen: a proxy, a browser and a log read addresses. */
function wrongPlaceholders(key: string, url: string | undefined, mapping: Mapping): readonly Issue[] {
  if (url === undefined) return [];
  // `${NAME}` is a reference, as in other keys.
  return placeholdersIn(url.replaceAll(/\$\{\w+\}/g, '')).flatMap((name) => {
    // The value of `client_id`.
    if (name === 'client_id') return [];
    const entry = mapping.find(({ parameter }) => parameter === name);
    const pointer = `/oauth2/${key}`;
    if (entry === undefined) {
      const names = mapping.filter(isVisible).map(({ parameter }) => parameter);
      return [
        issue(
          pointer,
          `has the placeholder {${name}}, which parameter_mapping does not have.${didYouMean(name, names)} Add it there, with "secret: false"`,
        ),
      ];
    }
    if (isVisible(entry)) return [];
    const expected =
      'expected values with "secret: false" and a name without TOKEN, KEY, SECRET and the like: addresses are logged and shown';
    return [issue(pointer, `has the placeholder {${name}}, a secret; ${expected}`)];
  });
}

function isVisible({ parameter, env_pattern: secret, secret: isSecret }: Mapping[number]): boolean {
  return isSecret === false && !isSecretName(parameter) && !isSecretName(secret);
}

function reservedParameters(oauth2: OAuth2): readonly Issue[] {
  return (['authorization_params', 'token_params'] as const).flatMap((key) => {
    const names = reserved[key].split(' ');
    const written = Object.keys(oauth2[key] ?? {}).filter((name) => names.includes(name));
    return written.map((name) => issue(`/oauth2/${key}/${name}`, 'is set by each login itself. Remove it; scopes belong to "scopes"'));
  });
}

function wrongProvided(name: string, path: string, provider: string, mapping: Mapping): readonly Issue[] {
  const pointer = `/oauth2/provides/${name}`;
  // Refresh tokens stay with the keeper of grants: a tool that has one has the account for good.
  if (/(^|\.)refresh_token$/.test(path))
    return [issue(pointer, 'expected a value for tools, received the refresh token, which no tool gets. Remove it')];
  const names = mapping.map(({ env_pattern: secret }) => secret);
  const prefix = secretPrefixOf(provider);
  if (names.includes(name) || (name.startsWith(prefix) && name.length > prefix.length)) return [];
  const expected = `expected an env_pattern of parameter_mapping, or a name that begins with ${prefix}`;
  return [issue(pointer, `${expected}, received "${name}".${didYouMean(name, names)}`)];
}

function issue(pointer: string, message: string): Issue {
  return { path: pathOf(pointer), pointer, message };
}
