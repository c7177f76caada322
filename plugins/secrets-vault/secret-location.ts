import { describeValue, excerpt, parseUrl, toUrl } from '../../kernel/index.ts';
import { refusal } from '../shared/remote-secrets/store-failure.ts';
import type { Variables, VaultOptions } from './options.ts';

/** The location of the secret: server, namespace and path. Contains no secret. */
export interface SecretLocation {
  readonly address: URL;
  readonly namespace: string | undefined;
  /** The path without slashes at its ends, such as `secret/data/shop`. */
  readonly secretPath: string;
  /** The server in words, for messages: `Vault at https://vault.example:8200, namespace "team"`. */
  readonly label: string;
}

/** Returns the location that options and variables name. Throws SECRET_STORE_UNAVAILABLE, not retryable, where they name none. */
export function locationOf(options: VaultOptions, env: Variables): SecretLocation {
  const address = addressOf(options.address ?? env['VAULT_ADDR'] ?? '', options.address === undefined ? 'VAULT_ADDR' : 'address');
  const namespace = options.namespace ?? (env['VAULT_NAMESPACE'] || undefined);
  if (namespace !== undefined && !/^[\x21-\x7e]+$/.test(namespace)) {
    throw refusal(
      'The namespace (VAULT_NAMESPACE) cannot be sent: expected ASCII without spaces, received other characters. Correct the namespace.',
    );
  }
  const server = `Vault at ${address.origin}${address.pathname.replace(/\/$/, '')}`;
  return {
    address,
    namespace,
    secretPath: secretPathOf(options.secretPath ?? 'secret/data/toolkit'),
    label: namespace === undefined ? server : `${server}, namespace "${namespace}"`,
  };
}

/** Returns the URL of an API path. Each segment is encoded, so that no path leaves `/v1/`. */
export function urlOf({ address }: SecretLocation, path: string): URL {
  const url = toUrl(address);
  url.pathname = `${address.pathname.replace(/\/$/, '')}/v1/${path.split('/').map(encodeURIComponent).join('/')}`;
  return url;
}

/** Returns the path without slashes at its ends. Throws for a path that a URL would change. */
export function cleanPath(path: string, option: string): string {
  const clean = path.replace(/^\/+|\/+$/g, '');
  const wrong = clean.split('/').find((segment) => segment === '' || segment === '.' || segment === '..' || !segment.isWellFormed());
  if (wrong === undefined) return clean;
  throw refusal(
    `The option ${option} is no path of Vault: expected names with single slashes between them, received ${describeValue(path)}. Correct ${option}.`,
  );
}

function secretPathOf(option: string): string {
  const path = cleanPath(option, 'secretPath');
  const segments = path.split('/');
  if (segments.slice(1, -1).includes('data')) return path;
  const [mount = '', ...rest] = segments.filter((segment, index) => segment !== 'data' || index === 0);
  const hint = `${mount}/data/${rest.join('/') || 'toolkit'}`;
  throw refusal(
    `secretPath is no path of the KV version 2 API: expected the mount, "data" and a name, received ${describeValue(option)}. Perhaps write "${excerpt(hint)}".`,
    { path },
  );
}

/** Describes a wrong address and does not show it: a token may be in the wrong variable. */
function addressOf(text: string, from: string): URL {
  const expected = `expected a URL such as https://vault.example:8200`;
  if (text === '') throw refusal(`The address of Vault is missing: ${expected}. Set VAULT_ADDR, or the option address.`);
  const refuse = (received: string) => refusal(`The address of Vault (${from}) is wrong: ${expected}, received ${received}. Correct it.`);
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1];
  if (scheme === undefined) throw refuse('a text without "https://" in front');
  if (!/^https?$/i.test(scheme)) throw refuse(`the scheme "${excerpt(scheme, 40)}"`);
  if (parseUrl(text) === undefined) throw refuse('one that is no URL');
  const url = toUrl(text);
  if (url.username !== '' || url.password !== '') throw refuse('one with a user name or password');
  if (url.search !== '' || url.hash !== '') throw refuse('one with a query or fragment');
  return url;
}
