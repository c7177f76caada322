import { expect } from 'chai';
import type { CallOutput, Kernel, Progress, ToolkitError } from '../../../kernel/index.ts';
import type { UpstreamServer } from '../../../plugins/upstreams/index.ts';
import { rejection } from '../../support/rejection.ts';
import { lastingKernel, stdioServer } from './kernel-with.ts';
import { parts, tools } from './servers/offers.mjs';
import { httpServer } from './servers/over-http.ts';

type Start = () => Promise<UpstreamServer>;

const overHttp =
  (kind: 'legacy' | 'modern' | 'sse'): Start =>
  async () => ({ url: (await httpServer(kind)).url, pin: 'first-use', gate: 'none' });

const servers: Readonly<Record<string, Start>> = {
  '2025, stdio': async () => stdioServer('legacy'),
  '2026, stdio': async () => stdioServer('modern'),
  '2025, HTTP': overHttp('legacy'),
  '2026, HTTP': overHttp('modern'),
  '2024, HTTP with SSE': overHttp('sse'),
};

const call = (kernel: Kernel, tool: string, parameters = {}, more = {}): Promise<CallOutput> =>
  kernel.call({ tool: `shop_${tool}`, parameters, caller: 'ada', ...more });

for (const [title, start] of Object.entries(servers))
  describe(`the relay of a server (${title})`, () => {
    let kernel: Kernel;
    before(async () => {
      kernel = await lastingKernel({ shop: await start() });
    });
    after(() => kernel.close());

    it('lists the tools under its name', () => {
      expect(kernel.registry.problems.map(({ message }) => message)).to.deep.equal([]);
      expect([...kernel.registry.tools.keys()].sort()).to.deep.equal(tools.map(({ name }) => `shop_${name}`).sort());
    });

    it('gives structured content as the output', async () => {
      const { output, content } = await call(kernel, 'structured');
      expect(output).to.deep.equal({ temperature: 21.5 });
      expect(content).to.deep.equal(parts('structured', {}).content);
    });

    it('gives all parts as they are', async () => {
      const { content } = await call(kernel, 'mixed');
      expect(content).to.deep.equal(parts('mixed', {}).content);
    });

    it('gives the metadata of the result', async () => {
      const { output, meta } = await call(kernel, 'echo', { text: 'hello' });
      expect(output).to.equal('hello');
      expect(meta['_meta']).to.deep.include({ 'example.com/trace': 'abc' });
    });

    it('gives a failure with all its parts', async () => {
      const error: ToolkitError = await rejection(call(kernel, 'failing'), 'EXECUTION_FAILED');
      expect(error.message).to.equal('it broke');
      expect(error.details.result?.['content']).to.deep.equal(parts('failing', {}).content);
    });

    it('gives the error of a refused request', async () => {
      const error = await rejection(call(kernel, 'refused'), 'INVALID_PARAMETERS');
      expect(error.message).to.include('no such thing');
    });

    it('reports the progress', async () => {
      const reported: Progress[] = [];
      await call(kernel, 'slow', { ms: 1 }, { onProgress: (progress: Progress) => void reported.push(progress) });
      expect(reported.map(({ message }) => message)).to.deep.equal(['step 1', 'step 2']);
    });

    it('asks the person of the caller', async () => {
      const asked: string[] = [];
      const elicit = async ({ message }: { readonly message: string }) => {
        asked.push(message);
        return { action: 'accept' as const, content: { answer: 'me' } };
      };
      const { output } = await call(kernel, 'ask', { who: 'it' }, { client: { elicit } });
      expect(output).to.equal('accept: me');
      expect(asked).to.deep.equal(['The MCP server "shop" asks: Who is it?']);
    });

    it('reads resources, templates and prompts', async () => {
      const { resources, resourceTemplates, prompts } = kernel.registry;
      const context = { caller: 'ada', signal: new AbortController().signal, logger: kernel.logger, client: {} };
      const text = { uri: 'fixture://one', mimeType: 'text/plain', text: 'content of fixture://one', _meta: { from: 'fixture' } };
      expect(await resources.get('fixture://one')?.read(context)).to.deep.equal({ contents: [text] });
      expect(resources.get('fixture://one')).to.deep.include({
        title: 'One',
        annotations: { priority: 0.5 },
        _meta: { 'example.com/a': 1 },
      });
      const template = resourceTemplates.get('fixture://people/{name}');
      const read = await template?.read('fixture://people/ada', { name: 'ada' }, context);
      expect(read).to.deep.equal({ contents: [{ ...text, uri: 'fixture://people/ada', text: 'content of fixture://people/ada' }] });
      expect(await template?.complete?.['name']?.('a', {}, context)).to.deep.include({ values: ['ada', 'alan'] });
      const prompt = prompts.get('shop_greet');
      expect(await prompt?.get({ who: 'ada' }, context)).to.deep.equal({
        messages: [{ role: 'user', content: { type: 'text', text: 'greet ada' } }],
      });
      expect(await prompt?.arguments?.[0]?.complete?.('al', {}, context)).to.deep.include({ values: ['alan'] });
    });
  });
