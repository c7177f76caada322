/** Both ends of what a function in a worker thread asks by `context.exchange`, where something in the process stands for the world outside. */
import type { MessagePort } from 'node:worker_threads';
import type { JsonValue } from '../../kernel/index.ts';
import { toErrorJson } from '../shared/code/error-json.ts';
import { answerOf, type ExchangeOutcome, exchangeJson, outcomeOf, type RunExchange } from '../shared/code/exchange.ts';

/** What a thread tells: it asks for something, or what came of doing that live. */
export type ExchangeNote =
  | { readonly type: 'exchange'; readonly id: number; readonly kind: string; readonly request: JsonValue }
  | { readonly type: 'lived'; readonly id: number; readonly outcome: ExchangeOutcome };

/** What it is told: to do it live, or what came of it. */
export type ExchangeReply =
  | { readonly type: 'live'; readonly id: number }
  | { readonly type: 'outcome'; readonly id: number; readonly outcome: ExchangeOutcome };

/** The end in the thread. Asked to do something live, it does it where the function waits, so that it counts as work of its call. */
export function exchangesThrough(port: MessagePort): RunExchange {
  const waiting = new Map<number, (reply: ExchangeReply) => void>();
  let asked = 0;
  port.on('message', (reply: ExchangeReply | 'aborted') => {
    if (reply !== 'aborted') waiting.get(reply.id)?.(reply);
  });
  return async (kind, request, live) => {
    const id = asked++;
    const replied = (note: ExchangeNote): Promise<ExchangeReply> =>
      new Promise((resolve) => {
        waiting.set(id, resolve);
        port.postMessage(note);
      });
    let reply = await replied({ type: 'exchange', id, kind, request: exchangeJson(kind, 'request', request) });
    if (reply.type === 'live') reply = await replied({ type: 'lived', id, outcome: await outcomeOf(kind, live) });
    waiting.delete(id);
    return answerOf((reply as ExchangeReply & { readonly type: 'outcome' }).outcome);
  };
}

/** The end in the process. */
export function answerExchanges(port: MessagePort, exchange: RunExchange): (note: ExchangeNote) => void {
  const lives = new Map<number, (outcome: ExchangeOutcome) => void>();
  const tell = (reply: ExchangeReply): void => port.postMessage(reply);
  return (note) => {
    const { id } = note;
    if (note.type === 'lived') return lives.get(id)?.(note.outcome);
    const { kind, request } = note;
    const live = async (): Promise<unknown> => {
      const outcome = await new Promise<ExchangeOutcome>((resolve) => {
        lives.set(id, resolve);
        tell({ type: 'live', id });
      });
      return answerOf(outcome);
    };
    outcomeOf(kind, () => exchange(kind, request, live))
      .catch((error: unknown) => ({ error: toErrorJson(error) }))
      .then((outcome) => tell({ type: 'outcome', id, outcome }));
  };
}
