type Cleanup = () => unknown;

interface Cleanups {
  readonly ofTest: Cleanup[];
  readonly ofFile: Cleanup[];
}

/** Shared by every copy of this module in the process. */
const shared = globalThis as { [key: symbol]: Cleanups | undefined };
const key = Symbol.for('toolkit.test.cleanups');
shared[key] ??= { ofTest: [], ofFile: [] };
const cleanups = shared[key];

/**
 * Cleans up after every test of the process, for modules that several test files use. A root hook of mocha belongs to the file that loads
 * it first: in a parallel worker the next file finds the module loaded, and its hook gone.
 */
export function afterEach(cleanup: Cleanup): void {
  cleanups.ofTest.push(cleanup);
}

/** The same after the last test of every file. Where mocha runs all files in one process, after the last of them. */
export function afterFile(cleanup: Cleanup): void {
  cleanups.ofFile.push(cleanup);
}

/** Mocha's side of it; `.mocharc.json` names this file. */
export const mochaHooks = {
  async afterEach(): Promise<void> {
    for (const cleanup of cleanups.ofTest) await cleanup();
  },
  async afterAll(): Promise<void> {
    for (const cleanup of cleanups.ofFile) await cleanup();
  },
};
