import { expect } from 'chai';
import sinon from 'sinon';
import { connect, refusal } from '../mcp/support/client.ts';
import { budgeted, lines, notFound, read, shownBy } from './budgeted.ts';

describe('output-budget: the pages', () => {
  afterEach(() => sinon.restore());

  it('are for the same caller only', async () => {
    const { call, kernel } = await budgeted({ run: () => lines });
    const { uri } = shownBy(await call());
    const { client } = await connect(kernel, { caller: 'somebody else' });
    await refusal(client.readResource({ uri }), notFound);
  });

  it('are there for the same caller in another session', async () => {
    const { call, kernel } = await budgeted({ run: () => lines });
    const { uri, preview } = shownBy(await call());
    expect((await read(uri, await connect(kernel))).text).to.equal(preview);
  });

  for (const page of ['0', '99', '-1', '1.5', '01', '1e1', 'x', '', '999999999999', '1/2', '%31%30%30']) {
    it(`are not found by the number "${page}"`, async () => {
      const { call, mcp } = await budgeted({ run: () => lines });
      const { uri } = shownBy(await call());
      await refusal(mcp.client.readResource({ uri: uri.replace(/1$/, page) }), notFound);
    });
  }

  for (const uri of ['output://6f1e9b52-0000-4000-8000-000000000000/1', 'output://__proto__/1', 'output:///1', 'output://x']) {
    it(`are not found under ${uri}`, async () => {
      const { call, mcp } = await budgeted({ run: () => lines });
      await call();
      await refusal(mcp.client.readResource({ uri }), notFound);
    });
  }

  it('are gone after their time', async () => {
    const clock = sinon.useFakeTimers({ now: 1_000_000, toFake: ['Date'] });
    const { call, mcp } = await budgeted({ run: () => lines, options: { retentionMs: 120_000 } });
    const { uri, note } = shownBy(await call());
    expect(note).to.include('kept for 2 min');
    clock.tick(120_000);
    await read(uri, mcp);
    clock.tick(1);
    await refusal(mcp.client.readResource({ uri }), notFound);
  });

  it('give way to newer ones where memory is short, those that were not read for longest first', async () => {
    const { call, mcp } = await budgeted({ run: () => lines, options: { maxBytes: lines.length * 4 } });
    const [first, second] = [shownBy(await call()).uri, shownBy(await call()).uri];
    await read(first, mcp);
    const third = shownBy(await call()).uri;
    await refusal(mcp.client.readResource({ uri: second }), notFound);
    for (const uri of [first, third]) await read(uri, mcp);
  });

  it('are not pushed out by the results of another tenant, however many', async () => {
    const { call, kernel, mcp } = await budgeted({ run: () => lines, options: { maxBytes: lines.length * 4 } });
    const { uri } = shownBy(await call());
    for (const _ of Array(5)) await kernel.call({ tool: 'it', caller: 'somebody else', origin: 'model' });
    await read(uri, mcp);
  });

  it('are not kept of a text that is larger than all memory for it, which is said', async () => {
    const { call } = await budgeted({ run: () => lines, options: { maxBytes: 10_000 } });
    const { content } = await call();
    expect(content).to.have.lengthOf(2);
    const [note] = content.map((part) => (part.type === 'text' ? part.text : ''));
    const rest = 'The rest was not kept, because it takes more than 10000 bytes. Ask for less.';
    expect(note).to.equal(`The output of "it" has ${lines.length} characters. Only the beginning is shown. ${rest}`);
  });

  it('are offered as a template, also before there are any', async () => {
    const { mcp } = await budgeted({ run: () => lines });
    const { resourceTemplates } = await mcp.client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).to.deep.equal(['output://{callId}/{page}']);
    await refusal(mcp.client.readResource({ uri: 'output://x/1' }), notFound);
  });
});
