import { CallRun } from './call-context.ts';
import type { CallRequest } from './call-request.ts';
import type { TapWatcher } from './guard.ts';
import type { TapEffect } from './hooks.ts';

/** The run of a call whose caller wants to know what each tap does. */
export class WatchedRun extends CallRun implements TapWatcher {
  readonly #onTap: CallRequest['onTap'];

  constructor(...[services, request, ...rest]: ConstructorParameters<typeof CallRun>) {
    super(services, request, ...rest);
    this.#onTap = request.onTap;
  }

  onTap(effect: TapEffect): void {
    try {
      this.#onTap?.(this.mask(effect));
    } catch (error) {
      // It is the caller's own code that failed; the call goes on.
      this.logger.warn('onTap failed', { error });
    }
  }
}
