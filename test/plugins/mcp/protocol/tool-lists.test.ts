import { expect } from 'chai';
import { mcp } from '../../../../plugins/mcp/index.ts';
import { rejection } from '../../../support/rejection.ts';
import { echoTool, testKernel } from '../../../support/test-kernel.ts';
import { connect, refusal, source } from '../support/client.ts';

const listChanged = (list: string) => `notifications/${list}/list_changed`;

describe('tools/list: order and pages', () => {
  const names = ['B_b', 'a', 'a-b', 'a1', 'a_b', 'b', 'z'];
  const shuffled = ['b', 'a_b', 'z', 'a', 'B_b', 'a1', 'a-b'];

  async function pages(size: number): Promise<string[][]> {
    const { client } = await connect(await testKernel({ tools: shuffled.map((name) => echoTool({ name })) }), { pageSize: size });
    const found: string[][] = [];
    let cursor: string | undefined;
    do {
      const page = await client.listTools(cursor === undefined ? undefined : { cursor });
      found.push(page.tools.map(({ name }) => name));
      cursor = page.nextCursor;
    } while (cursor !== undefined && found.length <= names.length);
    return found;
  }

  for (let size = 1; size <= names.length + 1; size++) {
    it(`gives every tool once, in the order of names, on pages of ${size}`, async () => {
      const found = await pages(size);
      expect(found.flat()).to.deep.equal(names);
      expect(found.map(({ length }) => length).slice(0, -1)).to.deep.equal(Array(Math.ceil(names.length / size) - 1).fill(size));
    });
  }

  it('goes on after a reload that removed the tool of the cursor and added one before it', async () => {
    let offered = ['b', 'd', 'f', 'h'];
    const kernel = await testKernel({ plugins: [source((sink) => offered.forEach((name) => void sink.addTool(echoTool({ name }))))] });
    const { client } = await connect(kernel, { pageSize: 2 });
    const { nextCursor = '' } = await client.listTools();
    offered = ['a', 'b', 'e', 'f', 'h'];
    await kernel.reload();
    const { tools } = await client.listTools({ cursor: nextCursor });
    expect(tools.map(({ name }) => name)).to.deep.equal(['e', 'f']);
  });

  const encoded = (text: string) => Buffer.from(text, 'utf8').toString('base64url');
  for (const cursor of ['', 'nonsense', '2', '#?%', encoded('before:a'), encoded('{"after":"a"}'), encoded('AFTER:a'), 5]) {
    it(`refuses the cursor ${JSON.stringify(cursor)}`, async () => {
      const { client } = await connect(await testKernel({ tools: [echoTool()] }), { pageSize: 1 });
      const { message } = await refusal(client.listTools({ cursor: cursor as string }), -32602);
      expect(message).to.include('cursor').and.have.length.below(300);
    });
  }
});

describe('tools/list: changes', () => {
  const changes = [
    { title: 'a new tool', after: ['shop_a', 'shop_b', 'shop_c'], changed: true },
    { title: 'a tool that is gone', after: ['shop_a'], changed: true },
    { title: 'another description', after: ['shop_a', 'shop_b'], more: { description: 'Other.' }, changed: true },
    { title: 'another parameter', after: ['shop_a', 'shop_b'], more: { parameters: {} }, changed: true },
    { title: 'another risk', after: ['shop_a', 'shop_b'], more: { risk: 'high' }, changed: true },
    { title: 'nothing', after: ['shop_a', 'shop_b'], changed: false },
    { title: 'another order of the files', after: ['shop_b', 'shop_a'], changed: false },
    { title: 'a tool that is not offered', after: ['shop_a', 'shop_b', 'other'], changed: false },
    { title: 'files that are broken now', after: ['shop_a', 'shop_b'], more: { risk: 'none' }, changed: false },
  ];
  for (const { title, after, more = {}, changed } of changes) {
    it(`are ${changed ? '' : 'not '}announced for ${title}`, async () => {
      let offered: { names: readonly string[]; more: object } = { names: ['shop_a', 'shop_b'], more: {} };
      const fill = source((sink) => {
        for (const name of offered.names) sink.addTool(echoTool({ name, ...offered.more }), { file: `/tools/${name}.yaml` });
      });
      const kernel = await testKernel({ plugins: [fill] });
      const { client, heard } = await connect(kernel, { tools: ['shop_*'] });
      await client.listTools();
      offered = { names: after, more };
      await kernel.reload();
      expect(await heard(listChanged('tools'))).to.have.length(changed ? 1 : 0);
      expect([await heard(listChanged('resources')), await heard(listChanged('prompts'))]).to.deep.equal([[], []]);
    });
  }

  it('are not announced for nothing to a client that has listed nothing', async () => {
    const kernel = await testKernel({ tools: [echoTool()] });
    const { heard } = await connect(kernel);
    await kernel.reload();
    expect((await Promise.all(['tools', 'resources', 'prompts'].map((list) => heard(listChanged(list))))).flat()).to.deep.equal([]);
  });

  it('are announced to every client, and to none that has gone', async () => {
    let description = 'Old.';
    const kernel = await testKernel({ plugins: [source((sink) => sink.addTool(echoTool({ description })))] });
    const [first, second, gone] = [await connect(kernel), await connect(kernel), await connect(kernel)];
    for (const { client } of [first, second, gone]) await client.listTools();
    await gone.client.close();
    description = 'New.';
    await kernel.reload();
    for (const { heard } of [first, second]) expect(await heard(listChanged('tools'))).to.have.length(1);
    expect(JSON.stringify(gone.sent)).to.not.include('list_changed');
  });
});

describe('the tools that are offered', () => {
  const all = ['fs_read', 'fs_write', 'git_log', 'time_now'];
  const kernelOf = (names: readonly string[] = all) => testKernel({ tools: names.map((name) => echoTool({ name })) });

  const filters = [
    { tools: undefined, excludeTools: undefined, offered: all },
    { tools: ['fs_read'], excludeTools: undefined, offered: ['fs_read'] },
    { tools: ['fs_*', 'time_now'], excludeTools: undefined, offered: ['fs_read', 'fs_write', 'time_now'] },
    { tools: ['*'], excludeTools: ['fs_w*'], offered: ['fs_read', 'git_log', 'time_now'] },
    { tools: ['*_*o*'], excludeTools: undefined, offered: ['git_log', 'time_now'] },
    { tools: ['fs_*'], excludeTools: ['fs_write', 'time_*'], offered: ['fs_read'] },
    { tools: undefined, excludeTools: ['*'], offered: [] },
    { tools: [], excludeTools: undefined, offered: [] },
  ];
  for (const { tools, excludeTools, offered } of filters) {
    it(`with tools ${JSON.stringify(tools)} and excludeTools ${JSON.stringify(excludeTools)} are ${offered.join(', ') || 'none'}`, async () => {
      const { client } = await connect(await kernelOf(), { ...(tools && { tools }), ...(excludeTools && { excludeTools }) });
      expect((await client.listTools()).tools.map(({ name }) => name)).to.deep.equal(offered);
    });
  }

  const wrongNames = [
    {
      options: { tools: ['fs_raed'] },
      says: '"fs_raed" in "tools" matches no tool. Did you mean "fs_read"? Correct it; 4 tools are loaded.',
    },
    { options: { excludeTools: ['fs_wrte'] }, says: '"fs_wrte" in "excludeTools" matches no tool. Did you mean "fs_write"?' },
    { options: { tools: ['fs_*', 'web_*'] }, says: '"web_*" in "tools" matches no tool.' },
    { options: { tools: ['FS_READ'] }, says: '"FS_READ" in "tools" matches no tool. Did you mean "fs_read"?' },
    { options: { tools: ['fs.read'] }, says: '"fs.read" in "tools" matches no tool. Did you mean "fs_read"?' },
  ];
  for (const { options, says } of wrongNames) {
    it(`are not served with ${JSON.stringify(options)}, which names no tool`, async () => {
      const server = mcp({ transport: 'http', port: 0, mcpToken: 'a-token', ...options });
      const kernel = await testKernel({ tools: all.map((name) => echoTool({ name })), plugins: [server] });
      expect((await rejection(kernel.serve(), 'CONFIG_INVALID')).message).to.include(says);
    });
  }

  it('are the only ones that can be called, and that an unknown name is compared with', async () => {
    const { call } = await connect(await kernelOf(), { tools: ['fs_*'], excludeTools: ['fs_write'] });
    for (const name of ['fs_write', 'time_now', 'fs_wriet']) {
      const { message } = await refusal(call(name), -32602);
      expect(message)
        .to.include(`There is no tool "${name}".`)
        .and.not.match(/mean "(fs_write|time_now)/);
    }
  });

  it('are not told apart from a refused definition that is not offered', async () => {
    const broken = { ...echoTool({ name: 'bank_pay' }), risk: 'none' };
    const { call } = await connect(await testKernel({ tools: [echoTool({ name: 'fs_read' }), broken] }), { tools: ['fs_*'] });
    expect((await refusal(call('bank_pay'), -32602)).message).to.include('There is no tool "bank_pay".');
  });

  it('follow a reload by their names', async () => {
    let names = ['fs_read', 'time_now'];
    const kernel = await testKernel({
      plugins: [source((sink) => names.forEach((name) => void sink.addTool(echoTool({ name }))))],
    });
    const { client, call } = await connect(kernel, { tools: ['fs_*'] });
    names = ['fs_read', 'fs_move', 'git_log'];
    await kernel.reload();
    expect((await client.listTools()).tools.map(({ name }) => name)).to.deep.equal(['fs_move', 'fs_read']);
    await refusal(call('git_log'), -32602);
  });
});
