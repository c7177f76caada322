import type { Logger } from '../log/logger.ts';

/** The context of every tap, as its last argument. */
export interface HookContext {
  /** Aborts when the hook's time limit is reached, the caller cancels, or the kernel closes. */
  readonly signal: AbortSignal;
  readonly logger: Logger;
  /**
   * Pauses the time limit until the returned function is called: for work that waits in a queue or for a process to start, and
   * for work that goes on without waiting. The pause lasts at most two minutes.
   */
  pauseClock(): () => void;
}
