import { randomUUID } from 'node:crypto';
import { isPlainObject, type JsonObject } from '../../../../../kernel/index.ts';
import type { HostKeys } from '../../../../shared/keys/host-keys.ts';
import type { Seal } from '../../../../shared/keys/seal.ts';
import type { SpendRefusal, SpentMemory } from '../../../../shared/keys/spent-memory.ts';
import { agreedVersion } from '../../../protocol/answers.ts';
import type { Request } from '../../../protocol/messages.ts';

/** So long after it was opened a session can be revived, in milliseconds: clients keep theirs for days. */
const revivableMs = 7 * 24 * 60 * 60 * 1000;

/** Of an id that carries nothing. */
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** What an id carries goes over the wire with each request: at most so much, in bytes of JSON. */
const maxCapabilities = 1024;
const maxName = 200;
const maxCaller = 500;

/** Sessions that were ended by their clients and are remembered for as long. */
const maxEnded = 50_000;

/**
 * Ids of sessions. They are signed and carry what a client said in `initialize`, so that a server which does not know one, because it was started again,
 * can revive the session. Nobody guesses one: it has 128 random bits, and counts only with the token of its caller.
 */
export class SessionIds {
  readonly #seal: Seal;
  readonly #ended: SpentMemory;

  constructor(keys: HostKeys) {
    this.#seal = keys.seal('mcp session');
    this.#ended = keys.spent('sessions', maxEnded);
  }

  /** For a session that begins with this request. Where that says too much, the id is random and its session ends with the process. */
  issue({ params = {} }: Request, caller: string): string {
    const { protocolVersion, capabilities, clientInfo } = params;
    const name = isPlainObject(clientInfo) ? String(clientInfo['name']) : '';
    const isSmall =
      Buffer.byteLength(JSON.stringify(capabilities) ?? '') <= maxCapabilities &&
      Buffer.byteLength(name) <= maxName &&
      Buffer.byteLength(caller) <= maxCaller;
    if (!isSmall) return randomUUID();
    return this.#seal.close(
      { version: agreedVersion(protocolVersion), capabilities: capabilities as JsonObject, name, caller },
      revivableMs,
    );
  }

  /**
   * The `initialize` with which the session of this id began; undefined where it was none of this caller's, has expired, or was ended by its client. A
   * promise alone where processes share what was ended.
   */
  openingOf(id: string, caller: string): Request | undefined | Promise<Request | undefined> {
    const sealed = this.#seal.open(id);
    if (typeof sealed === 'string' || sealed.payload['caller'] !== caller) return undefined;
    const hasEnded = this.#ended.has(sealed.id, sealed.expiresAt);
    if (hasEnded instanceof Promise) return hasEnded.then((ended) => (ended ? undefined : openingIn(sealed.payload)));
    return hasEnded ? undefined : openingIn(sealed.payload);
  }

  /** Whether an id of this caller may be one of a session that goes on, as far as the id itself tells. */
  mayBeOpen(id: string, caller: string): boolean {
    if (uuid.test(id)) return true;
    const sealed = this.#seal.open(id);
    return typeof sealed !== 'string' && sealed.payload['caller'] === caller;
  }

  /** Whether the id carries with what its session began. */
  isCarried(id: string): boolean {
    return !uuid.test(id);
  }

  /** The client has ended the session, which no process revives any more. False, or a promise of it, where that could not be remembered. */
  end(id: string): boolean | Promise<boolean> {
    const sealed = this.#seal.open(id);
    const refused = typeof sealed === 'string' ? undefined : this.#ended.spend(sealed.id, sealed.expiresAt, Date.now());
    const isKnown = (why: SpendRefusal | undefined): boolean => why === undefined || why === 'used';
    return refused instanceof Promise ? refused.then(isKnown) : isKnown(refused);
  }
}

function openingIn(payload: JsonObject): Request {
  const { version, capabilities, name } = payload as { version: string; capabilities: JsonObject; name: string };
  const params = { protocolVersion: version, capabilities, clientInfo: { name, version: '' } };
  return { jsonrpc: '2.0', id: 'revived', method: 'initialize', params };
}
