import { closeSync, openSync } from 'node:fs';
import type { Kernel } from '../../../kernel/index.ts';
import { reloadServer } from '../../shared/reload/reload-server.ts';

/**
 * Handles SIGHUP. By convention it makes a server reload its files. It ends a server like any other command when the terminal that it was started in
 * has closed, and on Windows, where it always means that.
 */
export class HangupHandler {
  #kernel: Kernel | undefined;
  #hadTerminal = false;
  #reloading: Promise<void> | undefined;
  #isReloadRequested = false;

  /** Reloads this kernel on SIGHUP from now on. */
  setKernel(kernel: Kernel): void {
    if (process.platform === 'win32') return;
    this.#hadTerminal = hasTerminal();
    this.#kernel = kernel;
  }

  /** Handles the signal; false when it must end the process. */
  handle(): boolean {
    const kernel = this.#kernel;
    if (kernel === undefined || (this.#hadTerminal && !hasTerminal())) return false;
    if (this.#reloading === undefined) this.#reloading = this.#reload(kernel);
    else this.#isReloadRequested = true;
    return true;
  }

  /** Reloads again after a signal during a reload: a file may have been read before its last change. */
  async #reload(kernel: Kernel): Promise<void> {
    do {
      this.#isReloadRequested = false;
      await reloadServer(kernel, 'SIGHUP', { code: true });
    } while (this.#isReloadRequested);
    this.#reloading = undefined;
  }
}

/** True when this session has a terminal, whatever the standard streams are. A closed one cannot be opened. */
function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return true;
  } catch {
    return false;
  }
}
