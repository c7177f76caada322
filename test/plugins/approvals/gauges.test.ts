import { expect } from 'chai';
import { apiVersion, definePlugin, type Gauge, type Kernel, type StateStore, ToolkitError } from '../../../kernel/index.ts';
import { addGauges } from '../../../plugins/approvals/gauges.ts';
import { recordKeys } from '../../../plugins/approvals/records/record-keys.ts';
import { rejection } from '../../support/rejection.ts';
import { bareKernel } from '../../support/test-kernel.ts';

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

const waiting = ({ gauges }: Kernel): Gauge => gauges.find(({ name }) => name === 'approvals.waiting') ?? expect.fail();

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
