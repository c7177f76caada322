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

interface Shared {
  readonly ofTest: Cleanups;
  readonly ofFile: Cleanups;
  /** Title of the test that runs. @default none */
  running?: string;
}

/** Shared by every copy of this module in the process. */
const shared = globalThis as { [key: symbol]: Shared | undefined };
const key = Symbol.for('toolkit.test.cleanups');
shared[key] ??= { ofTest: new Cleanups(), ofFile: new Cleanups() };
const state = shared[key];

/**
 * Cleans up after every test of the process, for modules that several test files use. A root hook of mocha belongs to the file that loads
 * it first: in a parallel worker the next file finds the module loaded, and its hook gone. Call it where the module begins: throws while a test
 * runs, because what each test adds stays for all that follow.
 */
export function afterEach(cleanup: Cleanup): void {
  refuseWithin('afterEach');
  state.ofTest.add(cleanup);
}

/** The same behind everything that `afterEach` does: what is removed here may be in use by what ends there, whichever module came first. */
export function atLast(cleanup: Cleanup): void {
  refuseWithin('atLast');
  state.ofTest.addLast(cleanup);
}

/** The same after the last test of every file. Where mocha runs all files in one process, after the last of them. */
export function afterFile(cleanup: Cleanup): void {
  refuseWithin('afterFile');
  state.ofFile.add(cleanup);
}

function refuseWithin(name: string): void {
  if (state.running === undefined) return;
  throw new Error(
    `${name}() was called while the test "${state.running}" ran: its cleanup would run after all later tests too. Call it where the module begins, and keep what it closes in a list.`,
  );
}

/** Mocha's side of it; `.mocharc.json` names this file. */
export const mochaHooks = {
  beforeEach(this: { readonly currentTest?: { fullTitle(): string } }): void {
    state.running = this.currentTest?.fullTitle() ?? 'unknown';
  },
  afterEach: (): Promise<void> => {
    delete state.running;
    return state.ofTest.run();
  },
  afterAll: (): Promise<void> => state.ofFile.run(),
};
