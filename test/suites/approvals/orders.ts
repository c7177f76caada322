import type { ApprovalAnswer, ApprovalDetails, ApprovalFilter, ApprovalRecord, CallFilter, DurableCall } from '../../../kernel/index.ts';

export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** The end of work that may fail: its value, or its failure. */
export type End<T> = { readonly value: T; readonly failure?: undefined } | { readonly failure: Failure };

/** The arguments of a call of `act`. */
export interface ActParameters extends Readonly<Record<string, unknown>> {
  readonly key: string;
}

export interface NamedCall {
  readonly caller: string;
  readonly parameters: ActParameters;
}

/** The orders to a server, with their answers: see the plugin `orders` in `config.ts`. */
export interface Orders {
  /** Submits durable calls, one after the other. */
  submit(order: { readonly calls: readonly (NamedCall & { readonly id: string })[] }): Promise<void>;
  /** Makes a call of a model whose client cannot ask. */
  call(order: NamedCall): Promise<End<unknown>>;
  list(order: { readonly filter?: ApprovalFilter }): Promise<readonly ApprovalRecord[]>;
  listCalls(order: { readonly filter?: CallFilter }): Promise<readonly DurableCall[]>;
  show(order: { readonly approval: string }): Promise<ApprovalDetails>;
  decide(order: { readonly approval: string; readonly answer: ApprovalAnswer }): Promise<End<ApprovalRecord>>;
}
