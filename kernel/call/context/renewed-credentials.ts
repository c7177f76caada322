import { messageOf, ToolkitError } from '../../errors.ts';
import type { Logger } from '../../log/logger.ts';
import { bindCredentials, missingCredentials } from '../../secrets/bind-credentials.ts';
import type { Secret } from '../../secrets/secret.ts';
import type { Call } from '../draft.ts';
import type { CallServices } from './services.ts';

/** Looks up newer values for the credentials of a call; returns undefined when there are none. See CallContext. Passes each new one to `use`. */
export async function renewedCredentials(
  { secrets }: CallServices,
  { tool, credentials }: Call,
  logger: Logger,
  use: (secret: Secret) => void,
): Promise<ReadonlyMap<string, Secret> | undefined> {
  const needs = tool.credentials.filter(({ name }) => secrets.hasIssued(credentials.get(name)));
  const changed = () => needs.filter(({ name, secret }) => ![undefined, credentials.get(name)].includes(secrets.get(secret)));
  // Another call may have renewed the values already.
  if (needs.length > 0 && changed().length === 0) {
    await secrets
      .renew(needs.map(({ secret }) => secret))
      .catch((error: unknown) => logger.warn(`credentials could not be renewed: ${messageOf(error)}`));
  }
  const fresh = changed().map(({ name, secret }) => [name, secrets.get(secret) as Secret] as const);
  for (const [, secret] of fresh) if (secrets.isSecret(secret.name)) use(secret);
  return fresh.length === 0 ? undefined : new Map([...credentials, ...fresh]);
}

/**
 * Replaces credentials that expired after they were bound, such as during a question to a person. Returns the same call when none expired. Passes
 * each new one to `use`. Throws MISSING_PARAMETER when there is no new value, and SECRET_STORE_UNAVAILABLE.
 */
export function liveCall(services: CallServices, call: Call, use: (secret: Secret) => void): Call | Promise<Call> {
  const { secrets } = services;
  const isDead = [...call.credentials.values()].some((handle) => secrets.isDead(handle));
  return isDead ? withNewValues(services, call, use) : call;
}

async function withNewValues({ secrets }: CallServices, call: Call, use: (secret: Secret) => void): Promise<Call> {
  const { tool, credentials } = call;
  const isDead = (name: string | undefined): boolean => {
    const handle = name === undefined ? undefined : credentials.get(name);
    return handle !== undefined && secrets.isDead(handle);
  };
  // A credential that was not bound, such as a replaced one, stays unbound.
  const boundNeeds = tool.credentials.filter(({ name }) => credentials.has(name));
  const needs = new Map(boundNeeds.map((need) => [need.name, need]));
  // A credential without a need was named by a parameter, and is its own secret.
  const dead = [...credentials.keys()].filter(isDead);
  await secrets.ensure(dead.map((name) => needs.get(name)?.secret ?? name));
  // A value derived from an expired one is derived again from the new one.
  const kept = [...credentials].filter(([name]) => !isDead(name) && !isDead(needs.get(name)?.deriveFrom?.parameter));
  const bound = bindCredentials(boundNeeds, new Map(kept), (name) => secrets.get(name));
  for (const name of dead) {
    const fresh = needs.has(name) ? bound.get(name) : secrets.get(name);
    if (fresh === undefined) continue;
    bound.set(name, fresh);
    if (secrets.isSecret(fresh.name)) use(fresh);
  }
  const lost = missingCredentials(boundNeeds, bound)[0]?.name ?? dead.find((name) => !needs.has(name) && !bound.has(name));
  if (lost !== undefined) throw lostError(tool.name, lost);
  return Object.freeze({ ...call, credentials: new Map([...kept, ...bound]) });
}

function lostError(tool: string, name: string): ToolkitError {
  const message = `Missing required parameter: ${name}. Its value has expired, and no secret store has another one. Look there, then call again.`;
  return new ToolkitError('MISSING_PARAMETER', message, { tool, parameter: name });
}
