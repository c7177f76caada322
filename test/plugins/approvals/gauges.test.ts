import { expect } from 'chai';
import { apiVersion, definePlugin, type Gauge, type Kernel, type StateStore, ToolkitError } from '../../../kernel/index.ts';
import { addGauges } from '../../../plugins/approvals/gauges.ts';
import { recordKeys } from '../../../plugins/approvals/records/record-keys.ts';
import { gaugeOf, rowsOf } from '../../support/gauges.ts';
import { rejection } from '../../support/rejection.ts';
import { bareKernel } from '../../support/test-kernel.ts';
import { given, no, yes } from './attacks/attack.ts';
import { attackWorld, stoppedClock, type World } from './attacks/attack-world.ts';

async function gauged(instead: Partial<StateStore> = {}): Promise<{ readonly kernel: Kernel; readonly state: StateStore }> {
  let state: StateStore | undefined;
  const plugin = definePlugin({
    name: 'approvals',
    apiVersion,
    apply(api) {
      ({ state } = api);
      addGauges({ extend: api.extend, state: { ...api.state, list: instead.list ?? ((...given) => api.state.list(...given)) } });
    },
  });
  const kernel = await bareKernel({ plugins: [plugin()] });
  return { kernel, state: state ?? expect.fail() };
}

const waiting = (kernel: Kernel): Gauge => gaugeOf(kernel, 'approvals.waiting');

const away = (code: 'STATE_UNAVAILABLE' | 'PLUGIN_FAILED') => ({
  list: async (): Promise<never> => {
    throw new ToolkitError(code, 'it is away');
  },
});

describe('the gauge of approvals', () => {
  it('counts the calls that wait, beyond one page, and no others', async () => {
    const { kernel, state } = await gauged();
    const gauge = waiting(kernel);
    expect(gauge).to.include({ unit: '{approval}' });
    expect(await gauge.read()).to.equal(0);
    for (let index = 0; index < 1200; index++)
      await state.set(recordKeys.due({ expiresAt: index, id: 'a' }), index % 12 === 0 ? 'approved' : 'waiting');
    await state.set(recordKeys.ready('a'), 'waiting');
    expect(await gauge.read()).to.equal(1100);
  });

  it('is unknown while the store is away, and no other failure is hidden', async () => {
    expect(await waiting((await gauged(away('STATE_UNAVAILABLE'))).kernel).read()).to.equal(undefined);
    const { kernel } = await gauged(away('PLUGIN_FAILED'));
    await rejection(Promise.resolve(waiting(kernel).read()), 'PLUGIN_FAILED');
  });
});

describe('the gauge of decided approvals', () => {
  const ttlMs = 60_000;

  const decided = (kernel: Kernel): Promise<Readonly<Record<string, number>>> => rowsOf(kernel, 'approvals.decided');

  const ends: Readonly<Record<string, (world: World) => Promise<unknown>>> = {
    approved: async ({ kernel, hold }) => kernel.approvals.decide((await hold(given)).id, yes),
    refused: async ({ kernel, hold }) => kernel.approvals.decide((await hold(given)).id, no),
    expired: async ({ kernel, hold }) => {
      const clock = stoppedClock();
      const { id } = await hold(given);
      clock.tick(ttlMs);
      await rejection(kernel.approvals.decide(id, yes), 'INVALID_PARAMETERS');
    },
    withdrawn: ({ pay }) =>
      rejection(pay(given, { tool: 'deposit', credentials: { BANK_TOKEN: 'value-of-another' } }), 'APPROVAL_REQUIRED'),
  };
  for (const [decision, end] of Object.entries(ends))
    it(`counts one that was ${decision}, once`, async () => {
      const world = await attackWorld({ approvals: { ttlMs } });
      expect(await decided(world.kernel)).to.deep.equal({});
      await end(world);
      const [record] = await world.records();
      await world.kernel.approvals.decide(record?.id ?? '', no).catch(() => {});
      expect(await decided(world.kernel)).to.deep.equal({ [decision]: 1 });
    });

  it('counts no question, and no run of an approved call', async () => {
    const { kernel, hold, pay } = await attackWorld();
    const { id } = await hold(given);
    expect(await decided(kernel)).to.deep.equal({});
    await kernel.approvals.decide(id, yes);
    await pay(given);
    expect(await decided(kernel)).to.deep.equal({ approved: 1 });
  });
});
