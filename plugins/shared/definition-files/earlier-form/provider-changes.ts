import { isPlainObject } from '../../../../kernel/index.ts';
import { type Change, pointer } from './change.ts';

type Members = Readonly<Record<string, unknown>>;

/** Informative keys that have no counterpart here. They get the prefix `x-`. */
const notes = ['name', 'type', 'version'];
const notesOfProvider = ['displayName', 'learnMore', 'assets', 'brand_color', 'homepage'];

/** Returns the changes that turn an earlier provider definition into the current form. */
export function providerChanges(written: Members): readonly Change[] {
  const { provider } = written;
  if (!isPlainObject(provider)) return [];
  return [
    ...notes.filter((key) => key in written).map((key) => ({ from: pointer(key), to: `/x-${key}` })),
    ...('description' in written ? [{ from: '/description', to: '/provider/description' }] : []),
    ...('documentation' in provider ? [{ from: '/provider/documentation', to: '/provider/documentation_url' }] : []),
    ...notesOfProvider.filter((key) => key in provider).map((key) => ({ from: pointer('provider', key), to: `/provider/x-${key}` })),
    ...accessChanges(provider),
  ];
}

/** Returns the change of OAuth endpoints. The redirect URI is the operator's. */
function accessChanges({ name, endpoints, defaultScopes = [] }: Members): readonly Change[] {
  if (!isPlainObject(endpoints)) return [];
  const { authorizationUrl, tokenUrl, revokeUrl } = endpoints;
  const variable = `${String(name).toUpperCase().replaceAll(/\W/g, '_')}_REDIRECT_URI`;
  const value = {
    auth_url: authorizationUrl,
    token_url: tokenUrl,
    ...(revokeUrl === undefined ? {} : { revoke_url: revokeUrl }),
    scopes: { default: defaultScopes },
    redirect_uri: `\${${variable}}`,
  };
  return [{ from: '/provider/endpoints', to: '/oauth2', value }, { from: '/provider/defaultScopes' }];
}
