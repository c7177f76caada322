import { expect } from 'chai';
import { apiVersion, definePlugin } from '../../kernel/index.ts';
import { rejection } from '../support/rejection.ts';
import { bareKernel } from '../support/test-kernel.ts';

describe('what plugins do when all are applied', () => {
  it('is waited for, in their order, after every apply and before the first discovery', async () => {
    const done: string[] = [];
    const plugin = (name: string) =>
      definePlugin({
        name,
        apiVersion,
        apply({ extend, hooks }) {
          extend.ready(async () => {
            await Promise.resolve();
            done.push(`${name} is ready`);
          });
          hooks.discover.tap(name, () => void done.push(`${name} discovers`));
          done.push(`${name} is applied`);
        },
      })();
    await bareKernel({ plugins: [plugin('one'), plugin('other')] });
    const steps = ['is applied', 'is ready', 'discovers'];
    expect(done).to.deep.equal(steps.flatMap((step) => [`one ${step}`, `other ${step}`]));
  });

  it('refuses the start by what it throws, in the name of the plugin', async () => {
    const failing = definePlugin({
      name: 'failing',
      apiVersion,
      apply: ({ extend }) =>
        extend.ready(() => {
          throw new Error('not today');
        }),
    });
    const { message, details } = await rejection(bareKernel({ plugins: [failing()] }), 'PLUGIN_FAILED');
    expect({ message, plugin: details.plugin }).to.deep.equal({
      message: 'Plugin "failing" failed after all were applied: not today',
      plugin: 'failing',
    });
  });
});
