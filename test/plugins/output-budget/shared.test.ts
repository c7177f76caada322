import { expect } from 'chai';
import sinon from 'sinon';
import { sharedState, unreachableState } from '../../support/shared-state.ts';
import { connect, refusal } from '../mcp/support/client.ts';
import { budgeted, lines, notFound, read, readAll, secret, shownBy } from './budgeted.ts';

const run = (): string => `${lines}${secret}`;

describe('output-budget: with a store that processes share', () => {
  afterEach(() => sinon.restore());

  it('has the pages read through each of them', async () => {
    const state = await sharedState();
    const [one, other] = [await budgeted({ run, plugins: [state.plugin()] }), await budgeted({ run, plugins: [state.plugin()] })];
    const { uri } = shownBy(await one.call());
    const pages = await readAll(uri, other.mcp);
    expect(pages).to.deep.equal(await readAll(uri, one.mcp));
    expect(pages.join('').startsWith(lines)).to.equal(true);
    expect(pages.join('')).to.not.include(secret);
  });

  it('has them read by the same caller only', async () => {
    const state = await sharedState();
    const [one, other] = [await budgeted({ run, plugins: [state.plugin()] }), await budgeted({ run, plugins: [state.plugin()] })];
    const { uri } = shownBy(await one.call());
    const { client } = await connect(other.kernel, { caller: 'somebody else' });
    await refusal(client.readResource({ uri }), notFound);
    // Nor after the other has brought them here.
    await read(uri, other.mcp);
    await refusal(client.readResource({ uri }), notFound);
  });

  it('forgets them when their time is over, wherever they were read', async () => {
    const clock = sinon.useFakeTimers({ now: Date.now(), toFake: ['Date'] });
    const state = await sharedState();
    const options = { retentionMs: 120_000 };
    const one = await budgeted({ run, options, plugins: [state.plugin()] });
    const other = await budgeted({ run, options, plugins: [state.plugin()] });
    const { uri } = shownBy(await one.call());
    await read(uri, other.mcp);
    const store = state.open();
    for (const { key } of await store.list('')) await store.delete(key);
    await store.close();
    clock.tick(120_000);
    await read(uri, other.mcp);
    clock.tick(1);
    await refusal(other.mcp.client.readResource({ uri }), notFound);
  });

  it('keeps a text that is larger than the store takes to itself', async () => {
    const state = await sharedState();
    const long = 'x'.repeat(4 * 1024 * 1024);
    const plugins = [state.plugin()];
    const [one, other] = [await budgeted({ run: () => long, plugins }), await budgeted({ run, plugins: [state.plugin()] })];
    const { uri } = shownBy(await one.call());
    await read(uri, one.mcp);
    await refusal(other.mcp.client.readResource({ uri }), notFound);
  });

  it('writes what a call that fails for its length says is kept', async () => {
    const state = await sharedState();
    const definition = {
      output_schema: { type: 'object', properties: { all: { type: 'string', minLength: 3000 } }, required: ['all'] },
    };
    const one = await budgeted({ run: () => ({ all: 'y'.repeat(4000) }), definition, plugins: [state.plugin()] });
    const other = await budgeted({ run, plugins: [state.plugin()] });
    const [uri = ''] = /output:\/\/[\w-]+\/1/.exec(JSON.stringify(await one.call())) ?? [];
    expect((await read(uri, other.mcp)).text).to.include('yyy');
  });

  it('keeps them in the process that ran the call while the store cannot be reached', async () => {
    const plugins = [unreachableState().plugin()];
    const [one, other] = [await budgeted({ run, plugins }), await budgeted({ run, plugins: [unreachableState().plugin()] })];
    const { uri } = shownBy(await one.call());
    await read(uri, one.mcp);
    await refusal(other.mcp.client.readResource({ uri }), notFound);
  });
});
