import { expect } from 'chai';
import type { CallOutput, Kernel, ToolkitError } from '../../../kernel/index.ts';
import { rejection } from '../../support/rejection.ts';
import { kernelWith, stdioServer } from './kernel-with.ts';
import { parts, tools } from './servers/offers.mjs';

const eras = ['legacy'] as const;

const call = (kernel: Kernel, tool: string, parameters = {}, more = {}): Promise<CallOutput> =>
  kernel.call({ tool: `shop_${tool}`, parameters, caller: 'ada', ...more });

for (const era of eras)
  describe(`the relay of a server (${era}, stdio)`, () => {
    it('lists the tools under its name', async () => {
      const kernel = await kernelWith({ shop: stdioServer(era) });
      expect(kernel.registry.problems.map(({ message }) => message)).to.deep.equal([]);
      expect([...kernel.registry.tools.keys()].sort()).to.deep.equal(tools.map(({ name }) => `shop_${name}`).sort());
    });

    it('gives structured content as the output', async () => {
      const kernel = await kernelWith({ shop: stdioServer(era) });
      const { output, content } = await call(kernel, 'structured');
      expect(output).to.deep.equal({ temperature: 21.5 });
      expect(content).to.deep.equal(parts('structured', {}).content);
    });

    it('gives all parts as they are', async () => {
      const kernel = await kernelWith({ shop: stdioServer(era) });
      const { content } = await call(kernel, 'mixed');
      expect(content).to.deep.equal(parts('mixed', {}).content);
    });

    it('gives the metadata of the result', async () => {
      const kernel = await kernelWith({ shop: stdioServer(era) });
      const { output, meta } = await call(kernel, 'echo', { text: 'hello' });
      expect(output).to.equal('hello');
      expect(meta['_meta']).to.deep.include({ 'example.com/trace': 'abc' });
    });

    it('gives a failure with all its parts', async () => {
      const kernel = await kernelWith({ shop: stdioServer(era) });
      const error = (await rejection(call(kernel, 'failing'))) as ToolkitError;
      expect(error).to.include({ code: 'EXECUTION_FAILED', message: 'it broke' });
      expect(error.details.result?.['content']).to.deep.equal(parts('failing', {}).content);
    });
  });
