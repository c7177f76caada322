type Cleanup = () => unknown;

/** Work to be done after a test, or after a file. */
export class Cleanups {
  readonly #cleanups: Cleanup[] = [];
  readonly #last: Cleanup[] = [];

  add(cleanup: Cleanup): void {
    this.#cleanups.push(cleanup);
  }

  /** Behind all others, whoever comes first. */
  addLast(cleanup: Cleanup): void {
    this.#last.push(cleanup);
  }

  /** One after the other, each of them also when one before has failed. Throws what failed. */
  async run(): Promise<void> {
    const failures: unknown[] = [];
    for (const cleanup of [...this.#cleanups, ...this.#last]) {
      try {
        await cleanup();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 1) throw new AggregateError(failures, failures.map(String).join('; '));
    if (failures.length === 1) throw failures[0];
  }
}

/** Shared by every copy of this module in the process. */
const shared = globalThis as { [key: symbol]: { readonly ofTest: Cleanups; readonly ofFile: Cleanups } | undefined };
const key = Symbol.for('toolkit.test.cleanups');
shared[key] ??= { ofTest: new Cleanups(), ofFile: new Cleanups() };
const { ofTest, ofFile } = shared[key];

/**
 * Cleans up after every test of the process, for modules that several test files use. A root hook of mocha belongs to the file that loads
 * it first: in a parallel worker the next file finds the module loaded, and its hook gone.
 */
export function afterEach(cleanup: Cleanup): void {
  ofTest.add(cleanup);
}

/** The same behind everything that `afterEach` does: what is removed here may be in use by what ends there, whichever module came first. */
export function atLast(cleanup: Cleanup): void {
  ofTest.addLast(cleanup);
}

/** The same after the last test of every file. Where mocha runs all files in one process, after the last of them. */
export function afterFile(cleanup: Cleanup): void {
  ofFile.add(cleanup);
}

/** Mocha's side of it; `.mocharc.json` names this file. */
export const mochaHooks = {
  afterEach: (): Promise<void> => ofTest.run(),
  afterAll: (): Promise<void> => ofFile.run(),
};
