import { appendFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { auditTrail } from '../../../../plugins/audit-trail/index.ts';
import { RecordingTracer } from '../../../support/recording-tracer.ts';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { echoTool } from '../../../support/test-kernel.ts';
import { Watched } from '../watched.ts';

const tools = [echoTool(), echoTool({ name: 'other' })];

/** A world with an audit trail in a file. */
async function withTrail(options: Partial<NonNullable<Parameters<typeof auditTrail>[0]>> = {}) {
  const file = options.path ?? path.join(await temporaryFolder(), 'audit.jsonl');
  const world = await Watched.open({ tools, plugins: [auditTrail({ ...options, path: file })] });
  return { world, file };
}

/** Calls of one world after another over the same trail: the second knows nothing of those of the first. */
async function afterRestart(count: number, options: Parameters<typeof withTrail>[0] = {}) {
  const { world: first, file } = await withTrail(options);
  for (let call = 1; call <= count; call++) await first.kernel.call({ tool: 'echo', parameters: { text: `${call}` }, caller: 'agent' });
  await first.kernel.close();
  return withTrail({ ...options, path: file });
}

describe('GET calls', () => {
  it('gives calls of the trail, also of earlier processes, completed by what this process knows', async () => {
    const { world } = await afterRestart(2);
    await rejection(world.kernel.call({ tool: 'echo', parameters: { wrong: 1 } }), 'INVALID_PARAMETERS');
    const page = await world.calls();
    expect(page).to.deep.include({ from: 'trail', running: [] });
    expect(page.ended.map(({ outcome }) => outcome)).to.deep.equal(['INVALID_PARAMETERS', 'completed', 'completed']);
    const [own, earlier] = page.ended;
    expect(own?.message).to.include('wrong');
    expect(own?.stages?.map(({ stage }) => stage)).to.deep.equal(['checks']);
    expect(earlier).to.deep.include({
      tool: 'echo',
      caller: 'agent',
      origin: 'host',
      risk: 'low',
      executed: true,
      reasons: [],
      approvals: [],
    });
    expect(earlier).to.not.have.any.keys('stages', 'message');
    expect(earlier?.startedAt).to.be.within(Date.now() - 600_000, Date.now());
  });

  it('gives the calls of this process where there is no trail', async () => {
    const world = await Watched.open({ tools });
    for (let call = 0; call < 120; call++) await world.kernel.call({ tool: 'echo', parameters: { text: `${call}` } });
    const sizes: number[] = [];
    for (let after: string | undefined; ; ) {
      const { ended, next, from } = await world.calls(after === undefined ? {} : { after });
      expect(from).to.equal('process');
      sizes.push(ended.length);
      if (next === undefined) break;
      after = next;
    }
    expect(sizes).to.deep.equal([50, 50, 20]);
  });

  it('pages through the trail without a call twice', async () => {
    const { world } = await afterRestart(60);
    for (let call = 0; call < 60; call++) await world.kernel.call({ tool: 'other' });
    const ids: string[] = [];
    for (let after: string | undefined; ; ) {
      const { ended, next } = await world.calls(after === undefined ? {} : { after });
      ids.push(...ended.map(({ callId }) => callId));
      if (next === undefined) break;
      after = next;
    }
    expect([ids.length, new Set(ids).size]).to.deep.equal([120, 120]);
  });

  for (const has of ['a trail', 'no trail']) {
    it(`gives the calls of one tool, with ${has}`, async () => {
      const world = has === 'a trail' ? (await withTrail()).world : await Watched.open({ tools });
      for (const tool of ['echo', 'other', 'echo']) await world.kernel.call({ tool });
      expect((await world.calls({ tool: 'echo' })).ended.map(({ tool }) => tool)).to.deep.equal(['echo', 'echo']);
      expect((await world.calls({ tool: 'missing' })).ended).to.deep.equal([]);
    });

    it(`refuses a cursor that is none, with ${has}`, async () => {
      const world = has === 'a trail' ? (await withTrail()).world : await Watched.open({ tools });
      for (const after of ['x', '-1', '1e3', 'bnVsbA']) await rejection(world.calls({ after }), 'INVALID_PARAMETERS');
    });
  }

  it('gives calls that the trail could not record', async () => {
    const { world, file } = await withTrail({ onFailure: 'open' });
    await world.kernel.call({ tool: 'echo' });
    await rm(path.dirname(file), { recursive: true });
    await world.kernel.call({ tool: 'other' });
    expect((await world.calls()).ended.map(({ tool }) => tool)).to.include('other');
  });

  it('counts lines of the trail that do not verify', async () => {
    const { world, file } = await withTrail({ onFailure: 'open' });
    await world.kernel.call({ tool: 'echo' });
    await appendFile(file, 'mine\n');
    expect(await world.calls()).to.deep.include({ broken: 1 });
  });

  it('gives the id of the trace, with and without the trail', async () => {
    for (const plugins of [[], [auditTrail({ path: path.join(await temporaryFolder(), 'audit.jsonl') })]]) {
      const tracer = new RecordingTracer();
      const world = await Watched.open({ tools, plugins: [...plugins, tracer.plugin()] });
      await world.kernel.call({ tool: 'echo' });
      expect((await world.calls()).ended[0]?.traceId).to.equal(tracer.spans[0]?.traceId);
    }
  });
});

describe('GET calls/{id}', () => {
  it('gives a call of this process with its parameters and stages', async () => {
    const { world } = await withTrail();
    const { callId } = await world.kernel.call({ tool: 'echo', parameters: { text: 'a' } });
    const call = await world.call(callId);
    expect(call).to.deep.include({ callId, parameters: { text: 'a' }, outcome: 'completed' });
    expect(call.stages).to.have.length(3);
  });

  it('gives a running call with its outcome "running"', async () => {
    let end: () => void = () => {};
    let begin: () => void = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const handler = (): Promise<object> =>
      new Promise((resolve) => {
        end = () => resolve({});
        begin();
      });
    const world = await Watched.open({ tools: [echoTool({ name: 'slow', execution: { type: 'function', handler } })] });
    const call = world.kernel.call({ tool: 'slow', parameters: { text: 'a' } });
    await begun;
    const [{ callId } = expect.fail()] = (await world.calls()).running;
    expect(await world.call(callId)).to.deep.include({ outcome: 'running', parameters: { text: 'a' }, reasons: [] });
    end();
    await call;
    expect(await world.call(callId)).to.deep.include({ outcome: 'completed' });
  });

  const forms: readonly (readonly ['masked' | 'names' | 'none', unknown, string | undefined])[] = [
    ['masked', { text: '1' }, undefined],
    ['names', ['text'], 'names of the parameters only'],
    ['none', undefined, 'has no parameters'],
  ];
  for (const [parameters, expected, note] of forms) {
    it(`gives a call of an earlier process as the trail has it, with parameters: ${parameters}`, async () => {
      const { world } = await afterRestart(1, { parameters });
      const [{ callId } = expect.fail()] = (await world.calls()).ended;
      const call = await world.call(callId);
      expect(call.parameters).to.deep.equal(expected);
      if (note === undefined) expect(call).to.not.have.property('parametersNote');
      else expect(call.parametersNote).to.include(note);
    });
  }

  it('says where a call of the trail has shortened parameters', async () => {
    const { world: first, file } = await withTrail();
    await first.kernel.call({ tool: 'echo', parameters: { text: 'x'.repeat(100_000) } });
    await first.kernel.close();
    const { world } = await withTrail({ path: file });
    const [{ callId } = expect.fail()] = (await world.calls()).ended;
    expect((await world.call(callId)).parametersNote).to.include('shortened');
  });

  for (const has of ['a trail', 'no trail'])
    it(`answers NOT_FOUND for a call that nobody knows, with ${has}`, async () => {
      const world = has === 'a trail' ? (await withTrail()).world : await Watched.open({ tools });
      for (const id of ['', 'x', '../etc', '"', '00000000-0000-0000-0000-000000000000']) await rejection(world.call(id), 'NOT_FOUND');
    });
});
