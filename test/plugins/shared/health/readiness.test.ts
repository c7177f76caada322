import { expect } from 'chai';
import sinon from 'sinon';
import { type StateStore, ToolkitError } from '../../../../kernel/index.ts';
import { Readiness } from '../../../../plugins/shared/health/readiness.ts';
import { memoryLogger } from '../../../../plugins/toolkit/testing.ts';

/** A store that other processes share, of which only the count is asked. Its answers end when the test says so. */
function storeOf() {
  const pending: { readonly resolve: () => void; readonly reject: () => void }[] = [];
  const increment = (): Promise<unknown> =>
    new Promise<void>((resolve, reject) =>
      pending.push({ resolve, reject: () => reject(new ToolkitError('STATE_UNAVAILABLE', 'The database is read-only.')) }),
    );
  return { store: { isShared: true, increment } as unknown as StateStore, pending };
}

describe('the readiness of a process', () => {
  let clock: sinon.SinonFakeTimers;
  beforeEach(() => {
    clock = sinon.useFakeTimers({ now: 1_700_000_000_000, toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  });
  afterEach(() => sinon.restore());

  function ready() {
    const { store, pending } = storeOf();
    const logger = memoryLogger();
    const closing = new AbortController();
    const readiness = new Readiness(store, logger, { closing: closing.signal });
    /** Asks, and has the store answer at once when it is asked. */
    const asked = async (end: 'resolve' | 'reject' = 'resolve') => {
      const answer = readiness.unreadyReason();
      pending.at(-1)?.[end]();
      return answer;
    };
    return { readiness, pending, asked, logger, closing };
  }

  it('writes to the store once a second at most', async () => {
    const { asked, pending } = ready();
    for (let ms = 0; ms < 3000; ms += 50) {
      expect(await asked()).to.equal(undefined);
      await clock.tickAsync(50);
    }
    expect(pending).to.have.length(3);
  });

  it('is lost with a store that takes no writes, and found again within a second', async () => {
    const { asked, logger } = ready();
    expect(await asked('reject')).to.equal('store');
    await clock.tickAsync(999);
    expect(await asked()).to.equal(undefined);
    expect(logger.records.map(({ message }) => message)).to.deep.equal([
      'the store cannot be reached, so /ready answers 503: The database is read-only.',
      'the store can be reached again',
    ]);
  });

  it('is answered in 800 ms while the store says nothing, of which one check is waiting', async () => {
    const { readiness, pending } = ready();
    for (let round = 0; round < 4; round++) {
      const answers = Promise.all([readiness.unreadyReason(), readiness.unreadyReason()]);
      await clock.tickAsync(800);
      expect(await answers).to.deep.equal(['store', 'store']);
    }
    expect(pending).to.have.length(1);
    pending[0]?.resolve();
    await clock.tickAsync(0);
    expect(await readiness.unreadyReason()).to.equal(undefined);
  });

  it('asks a store anew that never answered', async () => {
    const { readiness, pending, asked } = ready();
    const first = readiness.unreadyReason();
    await clock.tickAsync(15_001);
    expect(await first).to.equal('store');
    expect(await asked()).to.equal(undefined);
    expect(pending).to.have.length(2);
  });

  it('ends when the process does', async () => {
    const { readiness, closing, pending } = ready();
    closing.abort();
    expect(await readiness.unreadyReason()).to.equal('stopping');
    expect(pending).to.deep.equal([]);
  });
});
