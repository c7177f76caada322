import { Client as DirectClient } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect } from 'chai';
import type { Kernel } from '../../../kernel/index.ts';
import { connect } from '../mcp/support/client.ts';
import { asks, ModernClient } from '../mcp/support/modern-client.ts';
import { lastingKernel, serverFile, stdioServer } from './kernel-with.ts';

type Result = Readonly<Record<string, unknown>>;

/** A result without what only one of the two ways adds: the names of servers, and our own namespace. */
function comparable({ _meta, ...result }: Result): Result {
  const kept = Object.entries((_meta ?? {}) as Result).filter(([name]) => !/^(toolkit\/|io\.modelcontextprotocol\/)/.test(name));
  return JSON.parse(JSON.stringify({ ...result, ...(kept.length === 0 ? {} : { _meta: Object.fromEntries(kept) }) }));
}

const calls = [
  ['echo', { text: 'hello' }],
  ['structured', {}],
  ['mixed', {}],
  ['failing', {}],
] as const;

for (const era of ['legacy', 'modern'] as const)
  describe(`a server through this one, and directly (${era})`, () => {
    let kernel: Kernel;
    let direct: DirectClient;
    before(async () => {
      kernel = await lastingKernel({ shop: stdioServer(era) });
      direct = new DirectClient({ name: 'direct', version: '1' }, { versionNegotiation: { mode: 'auto' } });
      await direct.connect(new StdioClientTransport({ command: process.execPath, args: [serverFile(era)] }));
    });
    after(async () => {
      await Promise.all([kernel.close(), direct.close()]);
    });

    for (const [name, parameters] of calls)
      it(`answers equal: ${name}`, async () => {
        const through = await connect(kernel, { caller: 'ada' });
        const ours = await through.call(`shop_${name}`, parameters);
        const modern = await ModernClient.connect(kernel, { caller: 'ada' });
        const { resultType, ...newer } = await modern.result('tools/call', { name: `shop_${name}`, arguments: parameters });
        const theirs = comparable((await direct.callTool({ name, arguments: parameters })) as Result);
        expect(comparable(ours)).to.deep.equal(theirs);
        expect({ resultType, ...comparable(newer) }).to.deep.equal({ resultType: 'complete', ...theirs });
      });

    it('asks a person who answers in another request', async () => {
      const modern = await ModernClient.connect(kernel, { caller: 'ada', capabilities: { elicitation: { form: {} } } });
      const params = { name: 'shop_ask', arguments: { who: 'it' } };
      const asked = await modern.result('tools/call', params);
      const { inputRequests, requestState } = asks(asked);
      const [[key, request] = ['', {}]] = Object.entries(inputRequests);
      expect(JSON.stringify(request)).to.include('The MCP server \\"shop\\" asks: Who is it?');
      const inputResponses = { [key]: { action: 'accept', content: { answer: 'me' } } };
      const result = await modern.result('tools/call', { ...params, inputResponses, requestState });
      expect(result['content']).to.deep.equal([{ type: 'text', text: 'accept: me' }]);
    });

    it('lists resources, templates and prompts equal', async () => {
      const { client } = await connect(kernel, { caller: 'ada' });
      const { resources } = await client.listResources();
      expect(resources).to.deep.equal((await direct.listResources()).resources);
      const { resourceTemplates } = await client.listResourceTemplates();
      const others = resourceTemplates.filter(({ uriTemplate }) => !uriTemplate.startsWith('output:'));
      expect(others).to.deep.equal((await direct.listResourceTemplates()).resourceTemplates);
      const [prompt] = (await client.listPrompts()).prompts;
      expect({ ...prompt, name: 'greet' }).to.deep.equal((await direct.listPrompts()).prompts[0]);
      const uri = 'fixture://people/ada';
      expect(comparable(await client.readResource({ uri }))['contents']).to.deep.equal(
        comparable(await direct.readResource({ uri }))['contents'],
      );
    });

    it('completes equal', async () => {
      const { client } = await connect(kernel, { caller: 'ada' });
      const argument = { name: 'who', value: 'a' };
      const ours = await client.complete({ ref: { type: 'ref/prompt', name: 'shop_greet' }, argument });
      const theirs = await direct.complete({ ref: { type: 'ref/prompt', name: 'greet' }, argument });
      expect(ours.completion).to.deep.equal(theirs.completion);
    });

    it('lists a tool with its title, icons and metadata', async () => {
      const { client } = await connect(kernel, { caller: 'ada' });
      const ours = (await client.listTools()).tools.find(({ name }) => name === 'shop_echo');
      const theirs = (await direct.listTools()).tools.find(({ name }) => name === 'echo');
      expect(ours).to.deep.include({ title: theirs?.title, icons: theirs?.icons });
      expect(ours?._meta).to.deep.include(theirs?._meta as object);
    });
  });
