import { type Logger, type StateStore, stateLimits } from '../../kernel/index.ts';
import { OptionalState } from '../shared/state/optional-state.ts';
import type { StoredOutput, StoredOutputs } from './stored-outputs.ts';

interface SharedOutput extends StoredOutput {
  readonly tenant: string;
  /** The time when it expires, in epoch milliseconds. */
  readonly until: number;
}

/**
 * The outputs of all processes that share a store. Outputs of this process come first. While the store cannot be reached,
 * there are no others.
 */
export class SharedOutputs {
  readonly #own: StoredOutputs;
  readonly #state: OptionalState;

  constructor(own: StoredOutputs, state: StateStore, logger: Logger) {
    this.#own = own;
    this.#state = new OptionalState(state, logger, 'long results can be read in the process that ran the call alone');
  }

  /** Resolves when other processes can read the output. An output that is too large for the store stays in this process. */
  async share(tenant: string, callId: string, output: StoredOutput, retentionMs: number): Promise<void> {
    const value = JSON.stringify({ ...output, tenant, until: Date.now() + retentionMs } satisfies SharedOutput);
    if (Buffer.byteLength(value) > stateLimits.valueBytes) return;
    await this.#state.ask((state) => state.set(keyOf(callId), value, { ttlMs: retentionMs }));
  }

  async get(callId: string, caller: string): Promise<StoredOutput | undefined> {
    const own = this.#own.get(callId, caller);
    // Call ids have this form; other texts may be no valid key.
    if (own !== undefined || !/^[\da-f-]{36}$/.test(callId)) return own;
    const value = await this.#state.ask((state) => state.get(keyOf(callId)));
    if (value === undefined) return undefined;
    // Own text: a record of the store.
    const { tenant, until, ...output } = JSON.parse(value) as SharedOutput;
    if (output.caller !== caller) return undefined;
    // The caller is likely to ask for its other pages next.
    this.#own.store(tenant, callId, output, until - Date.now());
    return output;
  }
}

function keyOf(callId: string): string {
  return `output/${callId}`;
}
