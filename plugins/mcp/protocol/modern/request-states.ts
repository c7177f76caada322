import type { HostKeys } from '../../../shared/keys/host-keys.ts';
import type { Seal, Sealed, SealRefusal } from '../../../shared/keys/seal.ts';
import type { SpendRefusal, SpentMemory } from '../../../shared/keys/spent-memory.ts';
import { errorCodes } from '../messages.ts';
import { ProtocolError } from '../protocol-error.ts';
import type { ClientAnswer } from './client-answer.ts';

/** How long a person may take, in milliseconds. */
const ttlMs = 60 * 60_000;

/** What of a request is kept by its client until it asks again. All of it is signed, and none of it is secret from that client. */
export interface RequestState {
  /** Digest of whose request it is, and of what it asks for: another one may not go on with it. */
  readonly subject: string;
  /** By name, digests of the questions that wait for an answer. */
  readonly asked: Readonly<Record<string, string>>;
  /** By name, what was answered before, each with the digest of its question. */
  readonly answered: Readonly<Record<string, { readonly question: string; readonly answer: ClientAnswer }>>;
  /** By name, what the answer to a question holds for, in words. */
  readonly things?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Names of questions that were asked anew, because what they were about had changed. */
  readonly again?: readonly string[];
}

/** A state that a client has brought back. */
export interface OpenedState extends RequestState {
  /**
   * Uses it up. False where it was used before, by any process with the key of this host; throws -32603, or rejects with it, where that cannot be
   * remembered.
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
 * Request states (MCP 2026-07-28, Multi Round-Trip Requests). They are signed with a key of the host, expire, and hold for one request of one caller. Any
 * process with the key that remembers in the same place what was used can go on with them, also after a restart.
 */
export class RequestStates {
  readonly #seal: Seal;
  readonly #spent: SpentMemory;

  constructor(keys: Pick<HostKeys, 'seal' | 'spent'>) {
    this.#spent = keys.spent('request-states');
    this.#seal = keys.seal('mcp request state', this.#spent);
  }

  /** Throws -32602 for more answers than a client can be given to keep. */
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

  /** Throws -32602 for a text that is not a state of this very request. */
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

/** Whether it was spent now. */
function isSpent(refused: SpendRefusal | undefined): boolean {
  if (refused === undefined || refused === 'used') return refused === undefined;
  throw new ProtocolError(errorCodes.internal, 'The server cannot remember that this answer is used, so it is not taken. Try again later.');
}

function wrong(what: string): ProtocolError {
  return new ProtocolError(errorCodes.invalidParams, `"requestState" ${what}. ${advice}.`);
}
