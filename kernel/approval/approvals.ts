import { ToolkitError } from '../errors.ts';
import type { ApprovalInbox } from './approval-inbox.ts';
import type {
  ApprovalAnswer,
  ApprovalDetails,
  ApprovalFilter,
  ApprovalPage,
  ApprovalRecord,
  Decider,
  ManyDecided,
} from './approval-record.ts';

/**
 * The calls that wait for a person, of all callers, for the host: no tool and no model gets it. Every method rejects with PLUGIN_INVALID when no
 * plugin keeps records.
 */
export class Approvals {
  readonly #inbox: () => ApprovalInbox | undefined;

  constructor(inbox: () => ApprovalInbox | undefined) {
    this.#inbox = inbox;
  }

  /** True when a plugin keeps records. */
  get areKept(): boolean {
    return this.#inbox() !== undefined;
  }

  /** Lists records in pages, newest first. */
  async list(filter: ApprovalFilter = {}): Promise<ApprovalPage> {
    return this.#required.list(filter);
  }

  /** Returns a record with the things that help to decide. Rejects with NOT_FOUND. */
  async get(id: string): Promise<ApprovalDetails> {
    return this.#required.get(id);
  }

  /**
   * Decides a record: a yes runs the call once, a no refuses it. The first decision counts: a later one rejects with INVALID_PARAMETERS, and says
   * who decided what.
   * @example await kernel.approvals.decide(id, { approve: true, by: { way: 'library', name: 'ann' } });
   */
  async decide(id: string, answer: ApprovalAnswer): Promise<ApprovalRecord> {
    return this.#required.decide(id, answer);
  }

  /** Decides all waiting records of a filter, one decision each. Never rejects for one of them: its entry says what failed. */
  async decideMany(
    filter: Omit<ApprovalFilter, 'status' | 'after'>,
    answer: Omit<ApprovalAnswer, 'digest'>,
  ): Promise<readonly ManyDecided[]> {
    return this.#required.decideMany(filter, answer);
  }

  /** Asks about the call with other parameters, as a new record, and refuses the old one. Resolves to the new record, which waits. */
  async change(id: string, parameters: Readonly<Record<string, unknown>>, by: Decider): Promise<ApprovalRecord> {
    return this.#required.change(id, parameters, by);
  }

  /** Deletes all records of a caller, waiting ones included. Resolves to their number. */
  async erase(owner: { readonly caller: string; readonly tenant?: string }, by: Decider): Promise<number> {
    return this.#required.erase(owner, by);
  }

  /**
   * Calls `onChange` after records have changed, in this process or in others that share the store: once for changes of one turn, without saying which,
   * now and then without a change. Read the records again. Resolves to a function that ends it, when changes are reported, or the store cannot be reached:
   * then it is tried again, and `onChange` is called once it can.
   */
  async watch(onChange: () => void): Promise<() => Promise<void>> {
    const inbox = this.#required;
    if (inbox.watch !== undefined) return inbox.watch(onChange);
    throw new ToolkitError(
      'PLUGIN_INVALID',
      'The plugin that keeps approvals does not report changes of its records: its inbox has no "watch". Read them once in a while instead.',
    );
  }

  get #required(): ApprovalInbox {
    const inbox = this.#inbox();
    if (inbox !== undefined) return inbox;
    throw new ToolkitError('PLUGIN_INVALID', 'No plugin keeps approvals. Add approvals() and callsOnce() to the configuration.');
  }
}
