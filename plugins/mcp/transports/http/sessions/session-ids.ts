import { randomUUID } from 'node:crypto';
import { isPlainObject, type JsonObject } from '../../../../../kernel/index.ts';
import type { Request } from '../../../../shared/json-rpc/message.ts';
import type { HostKeys } from '../../../../shared/keys/host-keys.ts';
import type { Seal } from '../../../../shared/keys/seal.ts';
import type { ConsumeRefusal, UsedTokens } from '../../../../shared/keys/used-tokens.ts';
import { negotiateRevision } from '../../../protocol/revisions.ts';

/** Time after its start in which a session can be resumed, in milliseconds: clients keep sessions for days. */
const resumableMs = 7 * 24 * 60 * 60 * 1000;

/** Form of an id that carries no data. */
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Maximum size of the data in an id, in bytes of JSON: each request sends it. */
const maxPayloadBytes = 1024;
const maxName = 200;
const maxCaller = 500;

/** Maximum number of remembered sessions that clients have ended. */
const maxRememberedEnded = 50_000;

/**
 * Signer of session ids, and the sessions that clients have ended. An id carries the client's `initialize`, so that a restarted server can
 * resume a session that it does not know. It has 128 random bits, and is valid only with the token of its caller.
 */
export interface SessionIds {
  readonly seal: Seal;
  readonly ended: UsedTokens;
}

export function sessionIds(keys: HostKeys): SessionIds {
  return { seal: keys.seal('mcp session'), ended: keys.usedTokens('sessions', maxRememberedEnded) };
}

/** Creates the id of a session that begins with this request. Too large a request gives a random id; its session ends with the process. */
export function issueId({ seal }: SessionIds, { params = {} }: Request, caller: string): string {
  const { protocolVersion, capabilities, clientInfo } = params;
  const name = isPlainObject(clientInfo) ? String(clientInfo['name']) : '';
  const isSmall =
    Buffer.byteLength(JSON.stringify(capabilities) ?? '') <= maxPayloadBytes &&
    Buffer.byteLength(name) <= maxName &&
    Buffer.byteLength(caller) <= maxCaller;
  if (!isSmall) return randomUUID();
  return seal.sign(
    { version: negotiateRevision(protocolVersion).version, capabilities: capabilities as JsonObject, name, caller },
    resumableMs,
  );
}

/**
 * Returns the `initialize` request of a session; undefined when the session is another caller's, has expired, or was ended by its client.
 * A promise only where processes share the ended sessions.
 */
export function initializeRequestOf(
  { seal, ended }: SessionIds,
  id: string,
  caller: string,
): Request | undefined | Promise<Request | undefined> {
  const sealed = seal.verify(id);
  if (typeof sealed === 'string' || sealed.payload['caller'] !== caller) return undefined;
  const hasEnded = ended.has(sealed.id, sealed.expiresAt);
  if (hasEnded instanceof Promise) return hasEnded.then((isOver) => (isOver ? undefined : initializeRequestIn(sealed.payload)));
  return hasEnded ? undefined : initializeRequestIn(sealed.payload);
}

/** Returns true when an id of this caller may belong to an open session, judging by the id alone. */
export function mayBeOpen({ seal }: SessionIds, id: string, caller: string): boolean {
  if (uuid.test(id)) return true;
  const sealed = seal.verify(id);
  return typeof sealed !== 'string' && sealed.payload['caller'] === caller;
}

/** Returns true when the id carries its session's `initialize`. */
export function holdsInitialize(id: string): boolean {
  return !uuid.test(id);
}

/** Records that the client ended the session, so that no process resumes it. False, or a promise of it, when that fails. */
export function endId({ seal, ended }: SessionIds, id: string): boolean | Promise<boolean> {
  const sealed = seal.verify(id);
  const refused = typeof sealed === 'string' ? undefined : ended.consume(sealed.id, sealed.expiresAt, Date.now());
  const isKnown = (why: ConsumeRefusal | undefined): boolean => why === undefined || why === 'used';
  return refused instanceof Promise ? refused.then(isKnown) : isKnown(refused);
}

function initializeRequestIn(payload: JsonObject): Request {
  const { version, capabilities, name } = payload as { version: string; capabilities: JsonObject; name: string };
  const params = { protocolVersion: version, capabilities, clientInfo: { name, version: '' } };
  return { jsonrpc: '2.0', id: 'revived', method: 'initialize', params };
}
