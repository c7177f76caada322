import type { HostKeys } from '../../../shared/keys/host-keys.ts';
import type { Seal, Sealed, SealRefusal } from '../../../shared/keys/seal.ts';
import type { SpendRefusal, SpentMemory } from '../../../shared/keys/spent-memory.ts';
import { errorCodes } from '../messages.ts';
import { ProtocolError } from '../protocol-error.ts';
import type { ClientAnswer } from './client-answer.ts';

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
  /** Names of questions that were asked again because their content had changed. */
  readonly again?: readonly string[];
}

/** A state that a client has sent back. */
export interface OpenedState extends RequestState {
  /**
   * Consumes the state. Returns false if any process with this host's key has consumed it before. Throws -32603, or rejects with
   * it, when that cannot be recorded.
   */
  spend(): boolean | Promise<boolean>;
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
  readonly #spent: SpentMemory;

  constructor(keys: Pick<HostKeys, 'seal' | 'spent'>) {
    this.#spent = keys.spent('request-states');
    this.#seal = keys.seal('mcp request state', this.#spent);
  }

  /** Returns the signed state. Throws -32602 when the answers are too large for it. */
  close({ subject, asked, answered, things = {}, again = [] }: RequestState): string {
    try {
      return this.#seal.close({ subject, asked, answered: answered as never, things, again }, ttlMs);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw new ProtocolError(
        errorCodes.invalidParams,
        'The answers to the questions of this request are too long: together they may take about 45 kB. Answer with less.',
      );
    }
  }

  /** Reads a signed state. Throws -32602 unless it is a state of this request. */
  open(text: string, subject: string): OpenedState {
    const opened = this.#seal.open(text);
    if (typeof opened === 'string') throw wrong(refusals[opened]);
    const state = opened.payload as unknown as RequestState;
    if (state.subject !== subject) throw wrong('is that of another request');
    return { ...state, spend: () => this.#spend(opened) };
  }

  #spend({ id, expiresAt }: Sealed): boolean | Promise<boolean> {
    const refused = this.#spent.spend(id, expiresAt, Date.now());
    return refused instanceof Promise ? refused.then(isSpent) : isSpent(refused);
  }
}

/** Returns true when the state has been consumed now. */
function isSpent(refused: SpendRefusal | undefined): boolean {
  if (refused === undefined || refused === 'used') return refused === undefined;
  throw new ProtocolError(errorCodes.internal, 'The server cannot remember that this answer is used, so it is not taken. Try again later.');
}

function wrong(what: string): ProtocolError {
  return new ProtocolError(errorCodes.invalidParams, `"requestState" ${what}. ${advice}.`);
}
