import type { CallServices } from '../call/call-services.ts';
import { messageOf } from '../errors.ts';
import type { Call } from '../hooks.ts';
import type { Logger } from '../log/logger.ts';
import type { Secret } from './secret.ts';

/** The credentials of a call with newer values of the stores; undefined when there are none. See CallContext. Each is handed to `use`. */
export async function renewedCredentials(
  { secrets }: CallServices,
  { tool, credentials }: Call,
  logger: Logger,
  use: (secret: Secret) => void,
): Promise<ReadonlyMap<string, Secret> | undefined> {
  const needs = tool.credentials.filter(({ name }) => secrets.gave(credentials.get(name)));
  const changed = () => needs.filter(({ name, secret }) => ![undefined, credentials.get(name)].includes(secrets.get(secret)));
  // Another call may have brought new values already.
  if (needs.length > 0 && changed().length === 0) {
    await secrets
      .renew(needs.map(({ secret }) => secret))
      .catch((error: unknown) => logger.warn(`credentials could not be renewed: ${messageOf(error)}`));
  }
  const fresh = changed().map(({ name, secret }) => [name, secrets.get(secret) as Secret] as const);
  for (const [, secret] of fresh) if (secrets.isSecret(secret.name)) use(secret);
  return fresh.length === 0 ? undefined : new Map([...credentials, ...fresh]);
}
