import type { LogMeta } from '../../../../kernel/index.ts';

type Listener = (warning: Error) => void;

/** Warnings of Node, held back until their format is known: Node writes them around any replaced stream. */
export class NodeWarnings {
  readonly #nodeListeners: Listener[] = [];
  readonly #waiting: Error[] = [];
  readonly #holdWarning: Listener = (warning) => void this.#waiting.push(warning);

  /** Replaces Node's own listener, which is absent when warnings are off. */
  hold(): void {
    for (const listener of process.listeners('warning')) {
      if (listener.name !== 'onWarning') continue;
      this.#nodeListeners.push(listener);
      process.off('warning', listener);
    }
    if (this.#nodeListeners.length > 0) process.on('warning', this.#holdWarning);
  }

  /** Reports the held warnings and all later ones. */
  report(report: (message: string, meta: LogMeta) => void): void {
    const listener: Listener = (warning) => {
      const { name, message, code, detail } = warning as Error & { readonly code?: unknown; readonly detail?: unknown };
      report(message, { warning: name, code, detail });
    };
    this.#addResumed([listener]);
  }

  /** Gives the warnings back to Node's own listener. */
  restore(): void {
    this.#addResumed(this.#nodeListeners);
  }

  #addResumed(listeners: readonly Listener[]): void {
    if (this.#nodeListeners.length === 0) return;
    process.off('warning', this.#holdWarning);
    for (const listener of listeners) process.on('warning', listener);
    for (const warning of this.#waiting.splice(0)) for (const listener of listeners) listener.call(process, warning);
  }
}
