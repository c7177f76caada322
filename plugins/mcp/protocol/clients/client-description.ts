import Type from 'typebox';
import { isPlainObject } from '../../../../kernel/index.ts';
import type { ClientCapabilities } from '../../../shared/mcp-sdk/types.ts';

const OptionalObject = Type.Optional(Type.Object({}));

/** Name and version of a client's program. Further members are not used and not checked. */
export const ClientInfo = Type.Object({ name: Type.String(), version: Type.String() });

/** Capabilities of a client, as far as they are used. */
export const Capabilities = Type.Object({ elicitation: OptionalObject, sampling: OptionalObject, roots: OptionalObject });

/** Returns true for a value that matches `ClientInfo`, without the schema's compiler: a start waits for this. */
export function isClientInfo(info: unknown): info is Type.Static<typeof ClientInfo> {
  return isPlainObject(info) && typeof info['name'] === 'string' && typeof info['version'] === 'string';
}

/** Returns true for a value that matches `Capabilities`, without the schema's compiler. */
export function isCapabilities(capabilities: unknown): capabilities is ClientCapabilities {
  if (!isPlainObject(capabilities)) return false;
  const { elicitation = {}, sampling = {}, roots = {} } = capabilities;
  return isPlainObject(elicitation) && isPlainObject(sampling) && isPlainObject(roots);
}
