import { isPlainObject, type JsonObject, parseUrl } from '../../../kernel/index.ts';
import { isLoopback } from '../../shared/http/loopback.ts';
import type { SettingsUse } from '../../shared/oauth/account-service.ts';
import type { ClientRecords } from './client-records.ts';

/** A client at an authorization server. */
export interface LoginClient {
  readonly id: string;
  readonly secret?: string;
  /** The method of the token endpoint that was agreed (RFC 7591, 2). @default by the server's metadata */
  readonly method?: string;
}

/** Redirect addresses of logins on this machine; their ports differ (RFC 8252, 7.3). */
export const loopbackRedirects = ['http://127.0.0.1/callback', 'http://localhost/callback'] as const;

interface Registered extends LoginClient {
  /** Time at which the secret ends, in epoch ms. */
  readonly endsAt?: number;
}

export interface RegisteredClients {
  readonly server: string;
  /** The clients are bound to it. */
  readonly issuer: string;
  readonly records: ClientRecords;
  readonly now: () => number;
  /** Registers a client with these redirect addresses. Returns the server's answer (RFC 7591, 3.2.1). */
  register(redirectUris: readonly string[]): Promise<JsonObject>;
}

/**
 * Returns the client that was registered for a use, or registers it: one for logins on this machine, and one for each other redirect address. A grant
 * gets the client to which it is bound. `forgotten`: the id of a client that the server no longer knows, which is registered anew.
 */
export async function registeredClient(
  clients: RegisteredClients,
  { redirectUri, clientId }: SettingsUse,
  forgotten?: string,
): Promise<LoginClient> {
  const { server, issuer, records, now, register } = clients;
  const keyOf = (...parts: readonly string[]): string => JSON.stringify([server, issuer, ...parts]);
  if (clientId !== undefined) {
    const bound = toRegistered(await records.read(keyOf('id', clientId)));
    if (bound !== undefined) return bound;
  }
  const isLocal = redirectUri === undefined || isLoopback(parseUrl(redirectUri)?.hostname.replace(/^\[(.*)\]$/, '$1') ?? '');
  const key = keyOf('redirect', isLocal ? 'loopback' : redirectUri);
  const text = await records.read(key);
  const known = toRegistered(text);
  if (known !== undefined && known.id !== forgotten && (known.endsAt === undefined || known.endsAt > now())) return known;
  const answer = await register(isLocal ? loopbackRedirects : [redirectUri]);
  const made = JSON.stringify(clientIn(answer));
  const stored = await records.write(key, made, text);
  const client = toRegistered(stored) as Registered;
  await records.write(keyOf('id', client.id), stored, undefined);
  return client;
}

function clientIn(answer: JsonObject): Registered {
  const { client_id: id, client_secret: secret, client_secret_expires_at: endsAtS, token_endpoint_auth_method: method } = answer;
  return {
    id: String(id),
    ...(typeof secret === 'string' ? { secret } : {}),
    ...(typeof method === 'string' ? { method } : {}),
    // RFC 7591, 3.2.1: 0 is never.
    ...(typeof endsAtS === 'number' && endsAtS > 0 ? { endsAt: endsAtS * 1000 } : {}),
  };
}

function toRegistered(text: string | undefined): Registered | undefined {
  // No number: its time is one that this program wrote.
  const value: unknown = text === undefined ? undefined : JSON.parse(text);
  return isPlainObject(value) && typeof value['id'] === 'string' ? (value as unknown as Registered) : undefined;
}
