import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'chai';
import type { Kernel } from '../../../../kernel/index.ts';
import { callReadTool } from '../../../../plugins/shared/exposure/call-read-tool.ts';
import { estimatedTokens } from '../../../../plugins/shared/exposure/estimated-tokens.ts';
import { coreToolkit } from '../../../support/core-toolkit.ts';
import { rejection } from '../../../support/rejection.ts';
import { echoTool, testKernel } from '../../../support/test-kernel.ts';
import { type ConnectOptions, connect, failure, handlerTool, refusal, source, textOf } from '../support/client.ts';

const finders = ['toolkit_call_read_tool', 'toolkit_call_tool', 'toolkit_get_output', 'toolkit_get_tool', 'toolkit_search_tools'];

const reader = source((sink) => void sink.addTool(callReadTool, { trust: 'package', isBuiltIn: true }), 'finder');

/** A kernel with the core tools and these, as a server that exposes few tools has it. */
async function shop(...tools: Readonly<Record<string, unknown>>[]): Promise<Kernel> {
  const { kernel } = await coreToolkit({ plugins: [reader, source((sink) => tools.forEach((tool) => void sink.addTool(tool)))] });
  return kernel;
}

async function listed(kernel: Kernel, options: ConnectOptions): Promise<string[]> {
  const { client } = await connect(kernel, options);
  return (await client.listTools()).tools.map(({ name }) => name);
}

const inner = (name: string, parameters: object = {}) => ({ name, arguments: parameters });

describe('the exposure search', () => {
  it('lists the tools that find and call the others, and no other', async () => {
    expect(await listed(await shop(), { expose: 'search' })).to.deep.equal(finders);
  });

  it('lists pinned tools as well', async () => {
    expect(await listed(await shop(), { expose: 'search', pinned: ['time_now', 'json_d*'] })).to.deep.equal(
      ['json_diff', 'time_now', ...finders].sort(),
    );
  });

  it('lists what a definition of the operator keeps listed', async () => {
    expect(await listed(await shop(echoTool({ name: 'shop_help', listed: 'always' })), { expose: 'search' })).to.include('shop_help');
  });

  it('says in the description of the search which providers there are', async () => {
    const { client } = await connect(await shop(echoTool({ name: 'shop_help' })), { expose: 'search' });
    const { description } = (await client.listTools()).tools.find(({ name }) => name === 'toolkit_search_tools') ?? {};
    expect(description).to.match(/There are: core 13\d \(fs 21, git 16, .*\), none 1\.$/);
  });

  it('counts there only what the client may call', async () => {
    const { client } = await connect(await shop(), { expose: 'search', tools: ['time_*', 'json_diff'] });
    const { description } = (await client.listTools()).tools.find(({ name }) => name === 'toolkit_search_tools') ?? {};
    expect(description).to.match(/There are: core 10 \(time 9, json 1\)\.$/);
  });

  it('opens no tool that the filter leaves out, by any way', async () => {
    const { client, call } = await connect(await shop(), { expose: 'search', tools: ['time_*'] });
    expect((await client.listTools()).tools.map(({ name }) => name)).to.deep.equal(finders);
    await refusal(call('json_diff', { left: 1, right: 2 }), -32602);
    for (const way of ['toolkit_call_tool', 'toolkit_call_read_tool'])
      failure(await call(way, inner('json_diff', { left: 1, right: 2 })), 'TOOL_NOT_FOUND');
    failure(await call('toolkit_get_tool', { name: 'json_diff' }), 'TOOL_NOT_FOUND');
    expect(JSON.stringify((await call('toolkit_search_tools', { query: 'json_diff' })).structuredContent)).to.not.include('json_');
    expect(textOf(await call('toolkit_call_tool', inner('time_now')))).to.include('iso');
  });

  it('obeys an operator who leaves out a tool that calls others', async () => {
    const { call } = await connect(await shop(), { expose: 'search', excludeTools: ['toolkit_call_tool'] });
    await refusal(call('toolkit_call_tool', inner('time_now')), -32602);
  });

  it('gives a package no place in the list that the filter does not give it', async () => {
    const kernel = await shop();
    const packaged = { name: 'acme_pack', secrets: [] };
    const { kernel: other } = await coreToolkit({
      plugins: [
        reader,
        source((sink) => void sink.addTool(echoTool({ name: 'acme_spy', listed: 'always' }), { trust: 'package', package: packaged })),
      ],
    });
    expect(await listed(other, { expose: 'search' })).to.include('acme_spy');
    expect(await listed(other, { expose: 'search', tools: ['time_*'] })).to.deep.equal(finders);
    expect(await listed(kernel, { expose: 'search', tools: ['time_*'] })).to.deep.equal(finders);
  });

  it('is refused where there is nothing to search with', async () => {
    const error = await rejection(connect(await testKernel({ tools: [echoTool()] }), { expose: 'search' }), 'CONFIG_INVALID');
    expect(error.message).to.include('"expose" is search').and.include('expose all');
  });

  it('is refused for a pin that matches no tool', async () => {
    const error = await rejection(connect(await shop(), { expose: 'search', pinned: ['time_noww'] }), 'CONFIG_INVALID');
    expect(error.message).to.include('"time_noww" in "pinned"').and.include('time_now');
  });

  it('leaves a tool that is not listed callable by its name', async () => {
    const { call } = await connect(await shop(echoTool({ name: 'shop_order' })), { expose: 'search' });
    expect(textOf(await call('shop_order'))).to.equal('{}');
  });

  it('announces a change of what it lists, and of nothing else', async () => {
    let description = 'Helps.';
    let others = 0;
    const { kernel } = await coreToolkit({
      plugins: [
        reader,
        source((sink) => {
          sink.addTool(echoTool({ name: 'shop_help', listed: 'always', description }));
          sink.addTool(echoTool({ name: 'shop_order', description: `Order ${others}.` }));
        }),
      ],
    });
    const { client, heard } = await connect(kernel, { expose: 'search' });
    await client.listTools();
    others = 1;
    await kernel.reload();
    expect(await heard('notifications/tools/list_changed')).to.have.length(0);
    description = 'Helps more.';
    await kernel.reload();
    expect(await heard('notifications/tools/list_changed')).to.have.length(1);
  });
});

describe('the exposure all', () => {
  it('lists every tool once, without the one that calls what only reads', async () => {
    const { kernel } = await coreToolkit();
    const names = await listed(kernel, {});
    // With the one that goes with every list.
    expect(names).to.have.length(137).and.include('toolkit_call_tool').and.not.include('toolkit_call_read_tool');
    expect(await listed(await shop(), {})).to.deep.equal(names);
  });
});

describe('the exposure auto', () => {
  const size = (kernel: Kernel): number =>
    [...kernel.registry.tools.values()].reduce(
      (sum, tool) => sum + estimatedTokens(tool.description + JSON.stringify(tool.inputSchema)),
      0,
    );

  const cases = [
    { name: 'claude-code', tools: undefined, gets: 'all' },
    { name: 'Claude-Code (via mcp-remote 0.1.37)', tools: undefined, gets: 'all' },
    { name: 'cursor-vscode', tools: undefined, gets: 'search' },
    { name: 'some-client', tools: undefined, gets: 'search' },
    { name: 'some-client', tools: ['time_*'], gets: 'all' },
    { name: 'cursor-vscode', tools: ['time_*', 'json_*'], gets: 'all' },
    { name: 'cursor-vscode', tools: ['shop_*', 'time_now'], gets: 'search' },
    { name: 'Visual Studio Code', tools: ['shop_*', 'time_now'], gets: 'all' },
  ] as const;
  for (const { name, tools, gets } of cases)
    it(`gives ${gets} to ${name} with ${tools?.join(', ') ?? 'all tools'}`, async () => {
      const kernel = await shop(...Array.from({ length: 40 }, (_, index) => echoTool({ name: `shop_${index}` })));
      expect(size(kernel)).to.be.above(10_000);
      const names = await listed(kernel, { expose: 'auto', name, ...(tools === undefined ? {} : { tools }) });
      expect(names.includes('toolkit_call_read_tool')).to.equal(gets === 'search');
      if (gets === 'search') expect(names).to.deep.equal(finders);
      else expect(names).to.include('time_now');
    });
});

describe('a call through another tool', () => {
  const picture = { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' } as const;
  const drawing = handlerTool((_parameters, { withContent }) => withContent({ ok: true }, [picture]), { name: 'shop_draw', risk: 'low' });

  for (const way of ['toolkit_call_tool', 'toolkit_call_read_tool']) {
    it(`shows what a direct call shows, with ${way}`, async () => {
      const { call } = await connect(await shop(drawing), { expose: 'search' });
      const [direct, through] = [await call('shop_draw'), await call(way, inner('shop_draw'))];
      expect(through.content).to.deep.equal(direct.content);
      const [now, later] = [await call('text_count', { text: 'a b' }), await call(way, inner('text_count', { text: 'a b' }))];
      expect(later.content).to.deep.equal(now.content);
      expect(later.structuredContent).to.deep.equal({ output: now.structuredContent });
    });

    it(`fails as a direct call fails, with ${way}`, async () => {
      const { call } = await connect(await shop(), { expose: 'search' });
      const shown = ({ isError, content }: CallToolResult) => ({ isError, content });
      expect(shown(await call(way, inner('time_now', { timezone: 'Mars/Olympus' })))).to.deep.equal(
        shown(await call('time_now', { timezone: 'Mars/Olympus' })),
      );
    });

    it(`is heard of its progress, with ${way}`, async () => {
      const steps = handlerTool(
        (_parameters, { progress }) => {
          progress({ progress: 1, total: 2, message: 'half' });
          return 'done';
        },
        { name: 'shop_steps', risk: 'low' },
      );
      const { client } = await connect(await shop(steps), { expose: 'search' });
      const heard: unknown[] = [];
      await client.callTool({ name: way, arguments: inner('shop_steps') }, undefined, { onprogress: (one) => heard.push(one) });
      expect(heard).to.deep.equal([{ progress: 1, total: 2, message: 'half' }]);
    });

    it(`ends with its client's cancellation, with ${way}`, async () => {
      let begun = (): void => {};
      let ended: (reason: unknown) => void = () => {};
      const [begins, ends] = [new Promise<void>((resolve) => (begun = resolve)), new Promise((resolve) => (ended = resolve))];
      const waits = handlerTool(
        (_parameters, { signal }) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => {
              ended(signal.reason);
              reject(signal.reason as Error);
            });
            begun();
          }),
        { name: 'shop_wait', risk: 'low' },
      );
      const { client } = await connect(await shop(waits), { expose: 'search' });
      const cancel = new AbortController();
      const call = client.callTool({ name: way, arguments: inner('shop_wait') }, undefined, { signal: cancel.signal });
      await begins;
      cancel.abort();
      expect(await ends).to.have.property('code', 'ABORTED');
      await call.catch(() => {});
    });
  }

  const refused = [
    { name: 'fs_write_file', given: { path: 'x', content: '' }, says: '"fs_write_file" may change something' },
    { name: 'fs_delete', given: { path: 'x' }, says: 'requires approval' },
    { name: 'toolkit_call_tool', given: inner('time_now'), says: 'may change something' },
    { name: 'web_request', given: { url: 'http://example.com' }, says: '"web_request"' },
  ];
  for (const { name, given, says } of refused)
    it(`with toolkit_call_read_tool refuses ${name}, and names the other way`, async () => {
      const { call } = await connect(await shop(), { expose: 'search' });
      const error = failure(await call('toolkit_call_read_tool', inner(name, given)), 'INVALID_PARAMETERS');
      expect(error['message']).to.include(says).and.include('toolkit_call_tool');
    });
});
