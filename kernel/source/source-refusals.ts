import { secretPrefix } from '../definition/registry/namespace.ts';
import { ownPrefix } from '../definition/registry/package-secrets.ts';
import { isSecretName } from '../definition/schema/credentials.ts';
import type { OriginSource } from '../definition/schema/origin.ts';
import type { Provider, Tool } from '../definition/schema/tool.ts';
import { excerpt } from '../errors.ts';
import { isPlainObject, type JsonObject } from '../json/json.ts';

/** Returns why a definition of a source is refused unread: its execution type is not allowed. Undefined for an allowed one, or none. */
export function refusalOfExecution({ execution }: JsonObject, { executionTypes }: OriginSource): string | undefined {
  const type = isPlainObject(execution) ? execution['type'] : undefined;
  if (typeof type !== 'string' || executionTypes.includes(type)) return undefined;
  const expected = executionTypes.join(' or ') || 'nothing, because its plugin names no execution type';
  return `is executed as "${excerpt(type, 40)}", which the source may not: expected ${expected}`;
}

/** Returns why a tool of a source is refused: it uses foreign secrets. Undefined for an allowed one. */
export function refusalOfTool({ credentials, parameters }: Tool, source: OriginSource): string | undefined {
  const foreign = credentials.find(({ secret }) => !isOwnSecret(secret, source));
  if (foreign !== undefined) return namesForeignSecret(foreign.secret, source);
  const naming = Object.entries(parameters).find(([, parameter]) => parameter.names_secret === true);
  if (naming !== undefined) return `lets callers name any secret in "${naming[0]}" (names_secret), which a tool of a source may not`;
  return undefined;
}

/** Returns why a provider of a source is refused: its mapping would allow foreign secrets to be shown. Undefined for an allowed one. */
export function refusalOfProvider({ definition }: Provider, source: OriginSource): string | undefined {
  const foreign = (definition.parameter_mapping ?? []).find(({ env_pattern: secret }) => !isOwnSecret(secret, source));
  return foreign === undefined ? undefined : namesForeignSecret(foreign.env_pattern, source);
}

function isOwnSecret(secret: string, { name, secrets }: OriginSource): boolean {
  if (secrets.includes(secret)) return true;
  const upper = secret.toUpperCase();
  return upper.startsWith(secretPrefix(name)) && !upper.startsWith(ownPrefix);
}

function namesForeignSecret(secret: string, { name }: OriginSource): string {
  const what = isSecretName(secret) ? 'the secret' : 'the value';
  return `names ${what} ${secret}, which is not its own: expected one that begins with ${secretPrefix(name)}, or one that the source lists in "secrets"`;
}
