import { expect } from 'chai';
import { until } from '../../support/until.ts';
import { given } from './attacks/attack.ts';
import { attackWorld, stoppedClock } from './attacks/attack-world.ts';

describe('the sweep of approvals', () => {
  it('leaves what it cannot read to the process that can, which ends it', async () => {
    const clock = stoppedClock();
    const world = await attackWorld({ approvals: { ttlMs: 3_600_000 } });
    const { id, expiresAt } = await world.hold(given);
    clock.setSystemTime(expiresAt);
    const stranger = await attackWorld({ of: world, key: 'a key of another host, of more than 32 bytes' });
    await stranger.kernel.serve();
    await until(() => stranger.log.find(({ message }) => message.includes('is not followed up now')));
    expect((await world.records()).map(({ status }) => status)).to.deep.equal(['waiting']);
    const owner = await attackWorld({ of: world });
    await owner.kernel.serve();
    await until(() => owner.events.find(({ event }) => event === 'expired'));
    expect(owner.events.map((event) => event.id)).to.deep.equal([id]);
    expect(await world.store.list('approvals/due/')).to.deep.equal([]);
  });
});
