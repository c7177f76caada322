import { randomUUID } from 'node:crypto';
import { isPlainObject, type JsonObject } from '../../../../../kernel/index.ts';
import type { HostKeys } from '../../../../shared/keys/host-keys.ts';
import type { Seal } from '../../../../shared/keys/seal.ts';
import type { SpentMemory } from '../../../../shared/keys/spent-memory.ts';
import { agreedVersion } from '../../../protocol/answers.ts';
import type { Request } from '../../../protocol/messages.ts';

/** So long after it was opened a session can be revived, in milliseconds: clients keep theirs for days. */
const revivableMs = 7 * 24 * 60 * 60 * 1000;

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

  /** The `initialize` with which the session of this id began; undefined where it was none of this caller's, has expired, or was ended by its client. */
  openingOf(id: string, caller: string): Request | undefined {
    const sealed = this.#seal.open(id);
    if (typeof sealed === 'string' || sealed.payload['caller'] !== caller || this.#ended.has(sealed.id, sealed.expiresAt)) return undefined;
    const { version, capabilities, name } = sealed.payload as { version: string; capabilities: JsonObject; name: string };
    const params = { protocolVersion: version, capabilities, clientInfo: { name, version: '' } };
    return { jsonrpc: '2.0', id: 'revived', method: 'initialize', params };
  }

  /** The client has ended the session, which no process revives any more. */
  end(id: string): void {
    const sealed = this.#seal.open(id);
    if (typeof sealed !== 'string') this.#ended.spend(sealed.id, sealed.expiresAt, Date.now());
  }
}
