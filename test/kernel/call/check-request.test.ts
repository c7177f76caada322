import { expect } from 'chai';
import { apiVersion, definePlugin, type Kernel } from '../../../kernel/index.ts';
import { Toolkit } from '../../../plugins/toolkit/index.ts';
import { rejection } from '../../support/rejection.ts';
import { echoTool, testKernel } from '../../support/test-kernel.ts';

type Untyped = (...given: readonly unknown[]) => Promise<unknown>;

const needsName = 'A call needs the name of a tool: expected';
const noObject = (what: string): string => `The parameters of "echo" are wrong: expected an object, received ${what}.`;

const echoing = definePlugin({
  name: 'echoing',
  apiVersion,
  apply: ({ hooks }) => hooks.discover.tap('echoing', (sink) => sink.addTool(echoTool())),
});

const openKernel = (): Promise<Kernel> => testKernel({ tools: [echoTool()] });

describe('a call by code without types', () => {
  const requests: readonly { given: readonly unknown[]; says: string }[] = [
    { given: ['echo', {}], says: `${needsName} one object, { tool: "name", parameters: { … } }, received string "echo". "execute" takes` },
    { given: [], says: 'received nothing' },
    { given: [null], says: 'received null' },
    { given: [{}], says: 'received nothing for "tool"' },
    { given: [{ tool: 7 }], says: 'received number 7 for "tool"' },
    { given: [{ tool: 'echo', parameters: 'x' }], says: noObject('string "x"') },
    { given: [{ tool: 'echo', parameters: [1] }], says: noObject('array of 1') },
    { given: [{ tool: 'echo', parameters: [] }], says: noObject('array of 0') },
  ];
  for (const { given, says } of requests)
    it(`is refused with what is expected and received: call(${JSON.stringify(given).slice(1, -1)})`, async () => {
      const kernel = await openKernel();
      const call = kernel.call.bind(kernel) as Untyped;
      expect((await rejection(call(...given), 'INVALID_PARAMETERS')).message).to.include(says);
      expect(() => (kernel.start as Untyped).apply(kernel, [...given])).to.throw(says);
    });

  const executions: readonly { given: readonly unknown[]; says: string }[] = [
    { given: [], says: `${needsName} execute("name", { … }), received nothing for the name` },
    { given: [{ tool: 'echo' }], says: 'received object for the name' },
    { given: ['echo', 'x'], says: noObject('string "x"') },
    { given: ['echo', [1]], says: noObject('array of 1') },
    {
      given: ['echo', {}, 'x'],
      says: 'The options of a call of "echo" are wrong: expected an object such as { caller: "ada" }, received string "x"',
    },
    { given: ['echo', {}, null], says: 'received null' },
  ];
  for (const { given, says } of executions)
    it(`is refused with what is expected and received: execute(${JSON.stringify(given).slice(1, -1)})`, async () => {
      const kernel = await openKernel();
      expect((await rejection((kernel.execute as Untyped).apply(kernel, [...given]), 'INVALID_PARAMETERS')).message).to.include(says);
      await using toolkit = await Toolkit.init({ includeCore: false, autoDiscover: false, plugins: [echoing()] });
      expect((await rejection((toolkit.execute as Untyped).apply(toolkit, [...given]), 'INVALID_PARAMETERS')).message).to.include(says);
    });

  it('runs with no parameters where there are none', async () => {
    const kernel = await openKernel();
    for (const parameters of [undefined, null])
      expect(await (kernel.execute as Untyped).apply(kernel, ['echo', parameters])).to.deep.equal({});
  });
});
