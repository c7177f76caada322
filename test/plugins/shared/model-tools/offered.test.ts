import { expect } from 'chai';
import { apiVersion, definePlugin } from '../../../../kernel/index.ts';
import { openaiTools } from '../../../../plugins/adapter-openai/index.ts';
import type { ModelOptions } from '../../../../plugins/shared/model-tools/model-options.ts';
import { coreToolkit } from '../../../support/core-toolkit.ts';
import { echoTool, testKernel } from '../../../support/test-kernel.ts';
import { drivers } from './drivers.ts';
import { world } from './host.ts';

const call = (name: string, input: object) => ({
  type: 'function_call' as const,
  call_id: name,
  name,
  arguments: JSON.stringify(input),
});

const choices: readonly { readonly options: ModelOptions; readonly names: readonly string[] }[] = [
  { options: { tools: ['bank_*'], excludeTools: ['bank_l*', 'bank_w*', 'bank_p*'] }, names: ['bank_echo', 'bank_fail'] },
  { options: { tags: ['plain'] }, names: ['bank_echo'] },
  { options: { providers: ['none'] }, names: ['own_read', 'own_write'] },
  { options: { providers: ['none'], maxRisk: 'low' }, names: ['own_read'] },
  { options: { providers: ['none'], maxRisk: 'medium' }, names: ['own_read'] },
  { options: { providers: ['bank'], tags: ['mine'] }, names: [] },
];

const own = [
  echoTool({ name: 'own_read', tags: ['mine'] }),
  echoTool({ name: 'own_write', risk: 'high' }),
  echoTool({ name: 'own_draft', status: 'draft' }),
];

describe('the tools that a model is offered', () => {
  for (const { options, names } of choices)
    it(`are those of ${JSON.stringify(options)}, and no others can be called`, async () => {
      const { kernel, ran } = await world({ tools: own });
      const { tools, run } = openaiTools(kernel, options);
      expect(tools.map(({ name }) => name)).to.have.members([...names, 'toolkit_get_output']);
      const [answer] = await run([call('bank_picture', {})]);
      expect(answer?.output).to.include('TOOL_NOT_FOUND');
      expect(ran).to.deep.equal([]);
    });

  it('are never drafts', async () => {
    const { kernel } = await world({ tools: own });
    const { tools, run } = openaiTools(kernel);
    expect(tools.map(({ name }) => name)).to.not.include('own_draft');
    expect((await run([call('own_draft', {})]))[0]?.output).to.include('TOOL_NOT_FOUND');
  });

  for (const [options, problem] of [
    [{ tools: ['bank_ecko'] }, '"bank_ecko" in "tools" matches no tool. Did you mean "bank_echo"'],
    [{ providers: ['bnak'] }, '"bnak" in "providers" matches no tool. Did you mean "bank"?'],
    [{ tags: ['plane'] }, '"plane" in "tags" matches no tool. Did you mean "plain"?'],
    [{ maxRisk: 'huge' }, 'The options of openaiTools are wrong: maxRisk'],
    [{ tool: ['bank_echo'] }, 'The options of openaiTools are wrong: tool'],
    [{ onApproval: true }, 'onApproval expected a function, received boolean'],
    [{ expose: 'search' }, 'there is no tool to search with'],
  ] as const)
    it(`are refused for ${JSON.stringify(options)}`, async () => {
      const { kernel } = await world();
      expect(() => openaiTools(kernel, options as never))
        .to.throw()
        .that.includes({ code: 'CONFIG_INVALID' });
      expect(() => openaiTools(kernel, options as never)).to.throw(problem);
    });

  it('follow a reload, in the list that is read again and in calls', async () => {
    let isNew = false;
    const growing = definePlugin({
      name: 'growing',
      apiVersion,
      apply: ({ hooks }) =>
        hooks.discover.tap(
          'growing',
          (sink) => void sink.addTool(echoTool({ name: isNew ? 'new_one' : 'old_one' }), { trust: 'operator' }),
        ),
    });
    const kernel = await testKernel({ plugins: [growing()] });
    const openai = openaiTools(kernel);
    const before = openai.tools;
    isNew = true;
    await kernel.reload();
    expect(before.map(({ name }) => name)).to.deep.equal(['old_one']);
    expect(openai.tools.map(({ name }) => name)).to.deep.equal(['new_one']);
    expect((await openai.run([call('old_one', {})]))[0]?.output).to.include('TOOL_NOT_FOUND');
    expect((await openai.run([call('new_one', { text: 'a' })]))[0]?.output).to.include('"a"');
  });
});

describe('the exposure search', () => {
  for (const [title, open] of Object.entries(drivers))
    it(`finds, describes and calls what is offered, for ${title}`, async () => {
      const toolkit = await coreToolkit();
      const { listed, call } = open(toolkit, { expose: 'search', tools: ['text_*'] });
      expect(Object.keys(listed).sort()).to.deep.equal([
        'toolkit_call_tool',
        'toolkit_get_output',
        'toolkit_get_tool',
        'toolkit_search_tools',
      ]);
      expect((await call('toolkit_search_tools', { query: 'sort lines' })).text).to.include('text_sort_lines');
      expect((await call('toolkit_get_tool', { name: 'text_sort_lines' })).text).to.include('input_schema');
      const sorted = await call('toolkit_call_tool', { name: 'text_sort_lines', arguments: { text: 'pear\napple' } });
      expect(sorted.text).to.match(/apple\W+npear/);
      const hidden = await call('toolkit_call_tool', { name: 'math_evaluate', arguments: { expression: '1' } });
      expect(hidden.text).to.include('TOOL_NOT_FOUND');
    });
});
