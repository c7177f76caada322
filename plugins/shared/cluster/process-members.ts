import { randomBytes } from 'node:crypto';
import { type Liveness, Members } from '../../../kernel/index.ts';

/** Presence of processes in a shared store. */
export interface ProcessPresence {
  /**
   * Resolves when others see that this process lives, which they do until the store is closed. Repeated calls are cheap. `onReturn` is called
   * each time that this process is seen again after a gap, in which others may have taken it for dead.
   */
  announce(process: string, onReturn: () => void): Promise<void>;
  /** Resolves to true when the process has ended or died, false in doubt. */
  isDead(process: string): Promise<boolean>;
  /** Resolves to true when the process lives and does not answer. */
  isStalled?(process: string): Promise<boolean>;
}

/** Members of this process in a shared store. The id of a member is that of its process, a dot and a number. */
export class ProcessMembers {
  readonly #process = randomBytes(8).toString('hex');
  readonly #members = new Members(`${this.#process}.`);
  readonly #presence: () => Promise<ProcessPresence>;
  readonly #returns = new Set<() => void>();

  constructor(presence: () => Promise<ProcessPresence>) {
    this.#presence = presence;
  }

  /** Returns a new member. `onReturn`: see `ProcessPresence`. */
  join(onReturn?: () => void): Liveness {
    if (onReturn !== undefined) this.#returns.add(onReturn);
    const announce = async (): Promise<void> => {
      await (await this.#presence()).announce(this.#process, () => {
        for (const notify of this.#returns) notify();
      });
    };
    return this.#members.join(
      announce,
      async (id) => (await this.#presence()).isDead(processOf(id)),
      async (id) => (await (await this.#presence()).isStalled?.(processOf(id))) === true,
    );
  }
}

function processOf(member: string): string {
  return member.replace(/\.\d+$/, '');
}
