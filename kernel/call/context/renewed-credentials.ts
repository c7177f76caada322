import { messageOf, ToolkitError } from '../../errors.ts';
import type { Logger } from '../../log/logger.ts';
import { bindCredentials, missingCredentials } from '../../secrets/bind-credentials.ts';
import type { ScopeRefusal } from '../../secrets/credential-source.ts';
import { revealSecret, type Secret } from '../../secrets/secret.ts';
import type { SecretsUser } from '../../secrets/sourced-secrets.ts';
import type { Call } from '../draft.ts';
import type { CallServices } from './services.ts';

/** The call whose credentials are renewed. */
export interface CredentialsUser extends SecretsUser {
  readonly logger: Logger;
  /** Records the accounts that new credentials open. */
  useAccounts(credentials: Call['credentials']): void;
}

/**
 * Looks up newer values for the credentials of a call; returns undefined when there are none. See CallContext. `scopesLacked`: only sources have
 * values with more scopes. Throws the error of a source that has no value any more.
 */
export async function renewedCredentials(
  services: CallServices,
  { tool, credentials }: Call,
  user: CredentialsUser,
  scopesLacked?: ScopeRefusal,
): Promise<ReadonlyMap<string, Secret> | undefined> {
  const fresh = scopesLacked === undefined ? await renewedByChain(services, { tool, credentials }, user) : [];
  const sourced = await renewedBySources(services, { tool, credentials }, user, scopesLacked);
  return fresh.length + sourced.length === 0 ? undefined : new Map([...credentials, ...fresh, ...sourced]);
}

async function renewedByChain(
  { secrets }: CallServices,
  { tool, credentials }: Pick<Call, 'tool' | 'credentials'>,
  user: CredentialsUser,
): Promise<readonly (readonly [string, Secret])[]> {
  const needs = tool.credentials.filter(({ name }) => secrets.hasIssued(credentials.get(name)));
  const changed = () => needs.filter(({ name, secret }) => ![undefined, credentials.get(name)].includes(secrets.get(secret)));
  // Another call may have renewed the values already.
  if (needs.length > 0 && changed().length === 0) {
    await secrets
      .renew(needs.map(({ secret }) => secret))
      .catch((error: unknown) => user.logger.warn(`credentials could not be renewed: ${messageOf(error)}`));
  }
  const fresh = changed().map(({ name, secret }) => [name, secrets.get(secret) as Secret] as const);
  for (const [, secret] of fresh) if (secrets.isSecret(secret.name)) user.ownMasking().use(secret);
  return fresh;
}

/** Asks for other values than those that a service refused. Returns the ones that differ, by name. */
async function renewedBySources(
  { callerSecrets }: CallServices,
  { tool, credentials }: Pick<Call, 'tool' | 'credentials'>,
  user: CredentialsUser,
  scopesLacked: ScopeRefusal | undefined,
): Promise<readonly (readonly [string, Secret])[]> {
  const refused = tool.credentials.flatMap(({ name, secret }) => {
    const handle = credentials.get(name);
    return handle !== undefined && callerSecrets.sourced.handles.has(handle) ? [{ name, secret, value: revealSecret(handle) }] : [];
  });
  if (refused.length === 0) return [];
  const values = new Map(refused.map(({ secret, value }) => [secret, value]));
  const refusal = { values, ...(scopesLacked === undefined ? {} : { scopesLacked }) };
  const found = await callerSecrets.of(user, [...values.keys()], refusal).catch((error: unknown) => {
    user.logger.warn(`credentials could not be renewed: ${messageOf(error)}`);
    return undefined;
  });
  const renewed = refused.flatMap(({ name, secret, value }) => {
    const missing = found?.missing(secret);
    if (missing !== undefined) throw missing.with({ tool: tool.name, parameter: name, secret });
    const handle = found?.get(secret);
    return handle === undefined || revealSecret(handle) === value ? [] : [[name, handle] as const];
  });
  user.useAccounts(new Map(renewed));
  return renewed;
}

/**
 * Replaces credentials that expired after they were bound, such as during a question to a person. Returns the same call when none expired.
 * Throws MISSING_PARAMETER when there is no new value, or the error of the source that has none, and SECRET_STORE_UNAVAILABLE.
 */
export function liveCall(services: CallServices, call: Call, user: CredentialsUser): Call | Promise<Call> {
  const { secrets, callerSecrets, extensions } = services;
  const credentials = [...call.credentials.values()];
  const isSourced = extensions.credentialSources.length > 0;
  const isDead = credentials.some((handle) => secrets.isDead(handle) || (isSourced && callerSecrets.sourced.handles.isDead(handle)));
  return isDead ? withNewValues(services, call, user) : call;
}

async function withNewValues({ secrets, callerSecrets }: CallServices, call: Call, user: CredentialsUser): Promise<Call> {
  const { tool, credentials } = call;
  const isExpired = (handle: Secret): boolean => secrets.isDead(handle) || callerSecrets.sourced.handles.isDead(handle);
  const isDead = (name: string | undefined): boolean => {
    const handle = name === undefined ? undefined : credentials.get(name);
    return handle !== undefined && isExpired(handle);
  };
  // A credential that was not bound, such as a replaced one, stays unbound.
  const boundNeeds = tool.credentials.filter(({ name }) => credentials.has(name));
  const needs = new Map(boundNeeds.map((need) => [need.name, need]));
  const secretOf = (name: string): string => needs.get(name)?.secret ?? name;
  // A credential without a need was named by a parameter, and is its own secret.
  const dead = [...credentials.keys()].filter(isDead);
  // A value derived from an expired one is derived again from the new one.
  const kept = new Map([...credentials].filter(([name]) => !isDead(name) && !isDead(needs.get(name)?.deriveFrom?.parameter)));
  const derived = boundNeeds.map(({ name }) => name).filter((name) => !kept.has(name));
  // As at the first time: a derived value may have one of its own, and never one that the caller may not use.
  const found = await callerSecrets.of(user, [...new Set([...dead, ...derived].map(secretOf))]);
  const bound = bindCredentials(boundNeeds, kept, (name) => found.get(name));
  for (const name of dead) {
    const fresh = needs.has(name) ? bound.get(name) : found.get(name);
    if (fresh === undefined) continue;
    if (isExpired(fresh)) throw stillExpired(tool.name, secretOf(name));
    bound.set(name, fresh);
  }
  const lost = missingCredentials(boundNeeds, bound)[0]?.name ?? dead.find((name) => !needs.has(name) && !bound.has(name));
  if (lost !== undefined) throw found.missing(secretOf(lost))?.with({ tool: tool.name, parameter: lost }) ?? lostError(tool.name, lost);
  user.useAccounts(bound);
  return Object.freeze({ ...call, credentials: new Map([...kept, ...bound]) });
}

function lostError(tool: string, name: string): ToolkitError {
  const message = `Missing required parameter: ${name}. Its value has expired, and no secret store has another one. Look there, then call again.`;
  return new ToolkitError('MISSING_PARAMETER', message, { tool, parameter: name });
}

function stillExpired(tool: string, secret: string): ToolkitError {
  const message = `The value of ${secret} has expired, and its source gave one that has expired too. Call again later; if it stays so, compare the clocks of this machine and of the service.`;
  return new ToolkitError('SECRET_STORE_UNAVAILABLE', message, { tool, secret });
}
