/** Both ends of `context.exchange` for a worker thread whose process answers exchanges itself, as `toolkit test` does. */
import type { MessagePort } from 'node:worker_threads';
import type { JsonValue } from '../../kernel/index.ts';
import { toErrorJson } from '../shared/code/error-json.ts';
import { answerOf, type ExchangeOutcome, exchangeJson, outcomeOf, type RunExchange } from '../shared/code/exchange.ts';

/** A message from the thread: an exchange to answer, or the outcome of one that it ran live. */
export type ExchangeNote =
  | { readonly type: 'exchange'; readonly id: number; readonly kind: string; readonly request: JsonValue }
  | { readonly type: 'lived'; readonly id: number; readonly outcome: ExchangeOutcome };

/** A message to the thread: run the exchange live, or its outcome. */
export type ExchangeReply =
  | { readonly type: 'live'; readonly id: number }
  | { readonly type: 'outcome'; readonly id: number; readonly outcome: ExchangeOutcome };

/**
 * Makes the `exchange` of a thread. A live exchange runs in the thread, where the function awaits it, so that it counts as
 * work of its call.
 */
export function exchangeThroughPort(port: MessagePort): RunExchange {
  const pending = new Map<number, (reply: ExchangeReply) => void>();
  let nextId = 0;
  port.on('message', (reply: ExchangeReply | 'aborted') => {
    if (reply !== 'aborted') pending.get(reply.id)?.(reply);
  });
  return async (kind, request, live) => {
    const id = nextId++;
    const post = (note: ExchangeNote): Promise<ExchangeReply> =>
      new Promise((resolve) => {
        pending.set(id, resolve);
        port.postMessage(note);
      });
    let reply = await post({ type: 'exchange', id, kind, request: exchangeJson(kind, 'request', request) });
    if (reply.type === 'live') reply = await post({ type: 'lived', id, outcome: await outcomeOf(kind, live) });
    pending.delete(id);
    return answerOf((reply as ExchangeReply & { readonly type: 'outcome' }).outcome);
  };
}

/** Answers the exchanges of a thread. Runs in the process. */
export function answerExchanges(port: MessagePort, exchange: RunExchange): (note: ExchangeNote) => void {
  const liveExchanges = new Map<number, (outcome: ExchangeOutcome) => void>();
  const post = (reply: ExchangeReply): void => port.postMessage(reply);
  return (note) => {
    const { id } = note;
    if (note.type === 'lived') return liveExchanges.get(id)?.(note.outcome);
    const { kind, request } = note;
    const live = async (): Promise<unknown> => {
      const outcome = await new Promise<ExchangeOutcome>((resolve) => {
        liveExchanges.set(id, resolve);
        post({ type: 'live', id });
      });
      return answerOf(outcome);
    };
    outcomeOf(kind, () => exchange(kind, request, live))
      .catch((error: unknown) => ({ error: toErrorJson(error) }))
      .then((outcome) => post({ type: 'outcome', id, outcome }));
  };
}
