import { closeSync, openSync } from 'node:fs';
import type { Kernel } from '../../../kernel/index.ts';
import { reloadServer } from '../../shared/reload/reload-server.ts';

/**
 * What SIGHUP means. It asks a server to read its files again, as is the custom of servers; where the terminal that it was started in was
 * closed, and on Windows, whose SIGHUP says only that, it ends a server as it ends every other command.
 */
export class Hangups {
  #kernel: Kernel | undefined;
  #hadTerminal = false;
  #reloading: Promise<void> | undefined;
  #isAskedAgain = false;

  /** From now on this kernel reloads. */
  serves(kernel: Kernel): void {
    if (process.platform === 'win32') return;
    this.#hadTerminal = hasTerminal();
    this.#kernel = kernel;
  }

  /** Deals with the signal; false where it is to end the process. */
  take(): boolean {
    const kernel = this.#kernel;
    if (kernel === undefined || (this.#hadTerminal && !hasTerminal())) return false;
    if (this.#reloading === undefined) this.#reloading = this.#reload(kernel);
    else this.#isAskedAgain = true;
    return true;
  }

  /** What was written while it reloaded may have been read before that. */
  async #reload(kernel: Kernel): Promise<void> {
    do {
      this.#isAskedAgain = false;
      await reloadServer(kernel, 'SIGHUP', { code: true });
    } while (this.#isAskedAgain);
    this.#reloading = undefined;
  }
}

/** The terminal of this session, whatever the standard streams are; once it is closed, nobody can open it. */
function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return true;
  } catch {
    return false;
  }
}
