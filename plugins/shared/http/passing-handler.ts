import type { Dispatcher } from 'undici';
import { inNewForm } from './new-form.ts';

type Handler = Dispatcher.DispatchHandler;
type Given<K extends keyof Handler> = Parameters<NonNullable<Handler[K]>>;

/** Forwards a response unchanged. Base class of handlers that change a part of it. */
export class PassingHandler implements Handler {
  readonly #next: Handler;

  constructor(next: Handler) {
    this.#next = inNewForm(next);
  }

  onRequestStart(...given: Given<'onRequestStart'>): void {
    this.#next.onRequestStart?.(...given);
  }

  onRequestUpgrade(...given: Given<'onRequestUpgrade'>): void {
    this.#next.onRequestUpgrade?.(...given);
  }

  onResponseStart(...given: Given<'onResponseStart'>): void {
    this.#next.onResponseStart?.(...given);
  }

  onResponseData(...given: Given<'onResponseData'>): void {
    this.#next.onResponseData?.(...given);
  }

  onResponseEnd(...given: Given<'onResponseEnd'>): void {
    this.#next.onResponseEnd?.(...given);
  }

  onResponseError(...given: Given<'onResponseError'>): void {
    this.#next.onResponseError?.(...given);
  }
}
