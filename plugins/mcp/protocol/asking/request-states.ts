import { errorCodes } from '../../../shared/json-rpc/message.ts';
import { RpcError } from '../../../shared/json-rpc/rpc-error.ts';
import type { HostKeys } from '../../../shared/keys/host-keys.ts';
import type { OpenedSeal, Seal, SealRefusal } from '../../../shared/keys/seal.ts';
import type { ConsumeRefusal, UsedTokens } from '../../../shared/keys/used-tokens.ts';
import type { ClientAnswer } from '../clients/exchange.ts';

/** Time that a person has to answer, in milliseconds. */
const ttlMs = 60 * 60_000;

/** State of a request, which its client holds until it sends the request again. All of it is signed; the client can read it. */
export interface RequestState {
  /** Digest of the caller and the content of the request. The state is valid for that request only. */
  readonly subject: string;
  /** Digests of the open questions, by name. */
  readonly asked: Readonly<Record<string, string>>;
  /** Earlier answers by name, each with the digest of its question. */
  readonly answered: Readonly<Record<string, { readonly question: string; readonly answer: ClientAnswer }>>;
  /** Approved parts in words, by the name of the question. */
  readonly things?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Id of the approval record that the questions are about. */
  readonly record?: string | undefined;
  /** Names of questions that were asked again because their content had changed. */
  readonly again?: readonly string[];
}

/** A state that a client has sent back. */
export interface VerifiedState extends RequestState {
  /**
   * Consumes the state. Returns false if any process with this host's key has consumed it before. Throws -32603, or rejects with
   * it, when that cannot be recorded.
   */
  consume(): boolean | Promise<boolean>;
}

const advice = 'Make the request again without it';

const refusals: Readonly<Record<SealRefusal, string>> = {
  malformed: 'is not one that this server made',
  foreign:
    'is not one that this server made, or was changed. Where several processes answer, each takes what the others made only if they share a store, or key and state folder',
  expired: 'has expired',
};

/**
 * Request states (MCP 2026-07-28, Multi Round-Trip Requests). They are signed with the host's key, expire, and are valid for one
 * request of one caller. Every process with the same key and the same store of used states accepts them, also after a restart.
 */
export class RequestStates {
  readonly #seal: Seal;
  readonly #usedTokens: UsedTokens;

  constructor(keys: Pick<HostKeys, 'seal' | 'usedTokens'>) {
    this.#usedTokens = keys.usedTokens('request-states');
    this.#seal = keys.seal('mcp request state', this.#usedTokens);
  }

  /** Returns the signed state. Throws -32602 when the answers are too large for it. */
  sign({ subject, asked, answered, things = {}, again = [], record }: RequestState): string {
    try {
      return this.#seal.sign(
        { subject, asked, answered: answered as never, things, again, ...(record === undefined ? {} : { record }) },
        ttlMs,
      );
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw new RpcError(
        errorCodes.invalidParams,
        'The answers to the questions of this request are too long: together they may take about 45 kB. Answer with less.',
      );
    }
  }

  /** Reads a signed state. Throws -32602 unless it is a state of this request. */
  verify(text: string, subject: string): VerifiedState {
    const opened = this.#seal.verify(text);
    if (typeof opened === 'string') throw invalidState(refusals[opened]);
    const state = opened.payload as unknown as RequestState;
    if (state.subject !== subject) throw invalidState('is that of another request');
    return { ...state, consume: () => this.#consume(opened) };
  }

  #consume({ id, expiresAt }: OpenedSeal): boolean | Promise<boolean> {
    const refused = this.#usedTokens.consume(id, expiresAt, Date.now());
    return refused instanceof Promise ? refused.then(isConsumed) : isConsumed(refused);
  }
}

/** Returns true when the state has been consumed now. */
function isConsumed(refused: ConsumeRefusal | undefined): boolean {
  if (refused === undefined || refused === 'used') return refused === undefined;
  throw new RpcError(errorCodes.internal, 'The server cannot remember that this answer is used, so it is not taken. Try again later.');
}

function invalidState(reason: string): RpcError {
  return new RpcError(errorCodes.invalidParams, `"requestState" ${reason}. ${advice}.`);
}
