import { expect } from 'chai';
import { apiVersion, definePlugin, deny } from '../../../../kernel/index.ts';
import { createTestKit, type TestKit, type TestKitOptions } from '../../../../plugins/toolkit/testing.ts';
import { afterEach } from '../../../support/after-each.ts';
import { rejection } from '../../../support/rejection.ts';
import { echoTool } from '../../../support/test-kernel.ts';

const opened: TestKit[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((kit) => kit.close()));
});

async function kitOf(options: TestKitOptions): Promise<TestKit> {
  const kit = await createTestKit(options);
  opened.push(kit);
  return kit;
}

const polite = definePlugin({
  name: 'polite',
  apiVersion,
  apply({ hooks, logger }) {
    hooks.beforeExecute.tap('polite', (draft) => {
      logger.info('asked', { text: draft.parameters['text'] });
      if (draft.parameters['text'] === 'now!') return deny(draft, { kind: 'manners', message: 'say please' });
      return { ...draft, parameters: { text: `${draft.parameters['text']}, please` } };
    });
  },
});

describe('the test kit', () => {
  it('calls a tool and tells what each tap did, how calls ended and what was logged', async () => {
    const kit = await kitOf({ plugins: [polite()], tools: [echoTool()] });
    expect(await kit.call('echo', { text: 'tea' }, { caller: 'ann' })).to.deep.equal({ text: 'tea, please' });
    await rejection(kit.call('echo', { text: 'now!' }), 'POLICY_DENIED');
    const [effect] = kit.effects.filter(({ plugin }) => plugin === 'polite');
    expect(effect).to.deep.include({ hook: 'beforeExecute', tap: 'polite' });
    expect(kit.ends.map(({ caller, outcome }) => [caller, outcome.type])).to.deep.equal([
      ['ann', 'completed'],
      ['default', 'failed'],
    ]);
    expect(kit.log.filter(({ level }) => level === 'info').map(({ meta }) => meta)).to.deep.equal([{ text: 'tea' }, { text: 'now!' }]);
  });

  it('gives tools their secrets, and knows of no others', async () => {
    const length = {
      type: 'function',
      handler: (_given: object, { secrets }: { secrets: Record<string, string> }) => secrets['SHOP_KEY']?.length,
    };
    const tools = [
      echoTool({ secrets: ['SHOP_KEY'], execution: length }),
      echoTool({ name: 'other', secrets: ['OTHER_KEY'], execution: length }),
    ];
    const kit = await kitOf({ tools, secrets: { SHOP_KEY: 'twelve chars' } });
    expect(await kit.call('echo')).to.equal(12);
    expect((await rejection(kit.call('other'), 'MISSING_PARAMETER')).message).to.include('Missing required parameter: OTHER_KEY');
  });

  it('has tools of a provider', async () => {
    const kit = await kitOf({ providers: [{ provider: { name: 'shop' } }], tools: [echoTool({ name: 'shop_echo', provider: 'shop' })] });
    expect(kit.kernel.registry.tools.get('shop_echo')?.provider?.name).to.equal('shop');
  });

  it('reloads with other tools, and with those from then on', async () => {
    const kit = await kitOf({ tools: [echoTool()] });
    await kit.reload([echoTool({ name: 'second' })]);
    await kit.reload();
    expect([...kit.kernel.registry.tools.keys()]).to.deep.equal(['second']);
  });

  it('lets a plugin of the test take the place of a built-in one', async () => {
    const loose = definePlugin({ name: 'validate-output', apiVersion, apply: ({ extend }) => void extend.definitionKey('output_schema') });
    const kit = await kitOf({ plugins: [loose()], tools: [echoTool({ output_schema: { type: 'integer' } })] });
    expect(await kit.call('echo', { text: 'no number' })).to.deep.equal({ text: 'no number' });
  });

  it('takes no call once it is closed, and may be closed twice', async () => {
    const kit = await kitOf({ tools: [echoTool()] });
    await kit[Symbol.asyncDispose]();
    await kit.close();
    await rejection(kit.call('echo'), 'ABORTED');
  });
});
