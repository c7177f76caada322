import path from 'node:path';
import { expect } from 'chai';
import { headerOf, type RawRequest } from '../decoder/decode-request.ts';
import { generate } from '../rounds/generate.ts';
import { type OpenTools, openTools } from '../rounds/open-tools.ts';
import { type Receiver, startReceiver } from '../rounds/receiver.ts';
import { furtherCases, operationOf, pathOf, type StyleCase, styleCases } from './style-cases.ts';

/** Returns the text that a request has for the parameter `p`. */
function wireOf({ url, rawHeaders }: RawRequest, one: StyleCase): string | undefined {
  const [requestPath = '', query = ''] = url.split('?');
  if (one.place === 'path') return requestPath.slice(pathOf(one).indexOf('{p}')).replace(/\/end$/, '');
  return one.place === 'query' ? query : headerOf({ rawHeaders }, one.place === 'cookie' ? 'cookie' : 'p');
}

describe('tools of a document with every style', () => {
  let receiver: Receiver;
  let tools: OpenTools;
  const names = new Map<string | undefined, string>();

  before(async () => {
    receiver = await startReceiver();
    const { source } = await generate(path.join(import.meta.dirname, 'styles.yaml'), { server: receiver.url });
    for (const { operation, definition } of source.tools) names.set(operation.operationId, String(definition['name']));
    tools = await openTools(source);
  });

  after(async () => {
    await tools[Symbol.asyncDispose]();
    await receiver[Symbol.asyncDispose]();
  });

  it('are 23 pairs of a style and explode for lists and objects', () => {
    expect(styleCases).to.have.length(23);
  });

  for (const one of [...styleCases, ...furtherCases])
    it(`write ${operationOf(one)} as ${one.wire}`, async () => {
      const name = names.get(operationOf(one)) ?? '';
      const [parameter = ''] = Object.keys(tools.kernel.registry.get(name).parameters);
      await tools.call(name, { [parameter]: one.value }).catch(() => undefined);
      const [request] = receiver.take();
      expect(request === undefined ? undefined : wireOf(request, one)).to.equal(one.wire);
    });
});
