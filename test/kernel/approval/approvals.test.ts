import { expect } from 'chai';
import { type ApprovalInbox, type Approvals, apiVersion, createKernel, definePlugin } from '../../../kernel/index.ts';
import { rejection } from '../../support/rejection.ts';
import { bareKernel } from '../../support/test-kernel.ts';

const by = { way: 'library', name: 'ann' };

const listener = (): void => {};

/** Each method with arguments, by the name of the method of the inbox that answers it. */
const uses: Readonly<Record<string, { readonly use: (approvals: Approvals) => Promise<unknown>; readonly given: readonly unknown[] }>> = {
  list: { use: (approvals) => approvals.list(), given: [{}] },
  get: { use: (approvals) => approvals.get('a-1'), given: ['a-1'] },
  decide: { use: (approvals) => approvals.decide('a-1', { approve: true, by }), given: ['a-1', { approve: true, by }] },
  decideMany: {
    use: (approvals) => approvals.decideMany({ tool: 'pay' }, { approve: false, by }),
    given: [{ tool: 'pay' }, { approve: false, by }],
  },
  change: { use: (approvals) => approvals.change('a-1', { sum: 1 }, by), given: ['a-1', { sum: 1 }, by] },
  erase: { use: (approvals) => approvals.erase({ caller: 'ann' }, by), given: [{ caller: 'ann' }, by] },
  watch: { use: (approvals) => approvals.watch(listener), given: [listener] },
};

const keeping = (name: string, inbox: Partial<Record<keyof ApprovalInbox, unknown>>) =>
  definePlugin({ name, apiVersion, apply: ({ extend }) => extend.approvalInbox(() => inbox as ApprovalInbox) })();

describe('the approvals of a kernel', () => {
  for (const [method, { use, given }] of Object.entries(uses)) {
    it(`are those of the plugin that keeps records: ${method}`, async () => {
      const calls: unknown[] = [];
      const kernel = await bareKernel({ plugins: [keeping('keeper', { [method]: async (...args: unknown[]) => calls.push(args) })] });
      expect(kernel.approvals.areKept).to.equal(true);
      expect(await use(kernel.approvals)).to.equal(1);
      expect(calls).to.deep.equal([given]);
    });

    it(`are refused where no plugin keeps records, with what to add: ${method}`, async () => {
      const { approvals } = await bareKernel({ plugins: [] });
      expect(approvals.areKept).to.equal(false);
      expect((await rejection(use(approvals), 'PLUGIN_INVALID')).message).to.equal(
        'No plugin keeps approvals. Add approvals() and callsOnce() to the configuration.',
      );
    });
  }

  it('are not watched where their keeper reports no changes, and say what to do instead', async () => {
    const { approvals } = await bareKernel({ plugins: [keeping('keeper', {})] });
    expect((await rejection(approvals.watch(listener), 'PLUGIN_INVALID')).message).to.equal(
      'The plugin that keeps approvals does not report changes of its records: its inbox has no "watch". Read them once in a while instead.',
    );
  });

  it('have one keeper', async () => {
    const { message } = await rejection(createKernel({ plugins: [keeping('one', {}), keeping('two', {})] }), 'PLUGIN_INVALID');
    expect(message).to.equal('Plugin "two" adds the records of approvals, which another plugin has added. Remove one of the two.');
  });
});
