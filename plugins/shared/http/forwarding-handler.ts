import type { Dispatcher } from 'undici';
import { adaptHandler } from './adapt-handler.ts';

type Handler = Dispatcher.DispatchHandler;
type HandlerArguments<K extends keyof Handler> = Parameters<NonNullable<Handler[K]>>;

/** Forwards a response unchanged. Base class of handlers that change a part of it. */
export class ForwardingHandler implements Handler {
  readonly #next: Handler;

  constructor(next: Handler) {
    this.#next = adaptHandler(next);
  }

  onRequestStart(...given: HandlerArguments<'onRequestStart'>): void {
    this.#next.onRequestStart?.(...given);
  }

  onRequestUpgrade(...given: HandlerArguments<'onRequestUpgrade'>): void {
    this.#next.onRequestUpgrade?.(...given);
  }

  onResponseStart(...given: HandlerArguments<'onResponseStart'>): void {
    this.#next.onResponseStart?.(...given);
  }

  onResponseData(...given: HandlerArguments<'onResponseData'>): void {
    this.#next.onResponseData?.(...given);
  }

  onResponseEnd(...given: HandlerArguments<'onResponseEnd'>): void {
    this.#next.onResponseEnd?.(...given);
  }

  onResponseError(...given: HandlerArguments<'onResponseError'>): void {
    this.#next.onResponseError?.(...given);
  }
}
