type Cleanup = () => unknown;

/** Shared by every copy of this module in the process. */
const shared = globalThis as { [key: symbol]: Cleanup[] | undefined };
const key = Symbol.for('toolkit.test.cleanups');
shared[key] ??= [];
const cleanups = shared[key];

/**
 * Cleans up after every test of the process, for modules that several test files use. A root hook of mocha belongs to the file that loads
 * it first: in a parallel worker the next file finds the module loaded, and its hook gone.
 */
export function afterEach(cleanup: Cleanup): void {
  cleanups.push(cleanup);
}

/** Mocha's side of it; `.mocharc.json` names this file. */
export const mochaHooks = {
  async afterEach(): Promise<void> {
    for (const cleanup of cleanups) await cleanup();
  },
};
