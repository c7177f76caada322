import { EventEmitter, once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import type { StateStore } from '../../../kernel/index.ts';
import { MemoryStore } from '../../../kernel/state/memory-store.ts';
import { callsOnce } from '../../../plugins/calls-once/index.ts';
import { rejection } from '../../support/rejection.ts';
import { echoTool, testKernel } from '../../support/test-kernel.ts';
import { UnreliableStore, type WriteFate } from './unreliable-store.ts';

describe('calls with a name, where the store fails', () => {
  const opened = async () => {
    const unreliable = new UnreliableStore(new MemoryStore(Date.now), '/intent/');
    let effects = 0;
    const act = { ...echoTool(), name: 'act', risk: 'medium', execution: { type: 'function', handler: () => ++effects } };
    const kernelOf = () => testKernel({ tools: [act], plugins: [callsOnce(), unreliable.plugin()] });
    const kernel = await kernelOf();
    return { unreliable, kernel, kernelOf, call: () => kernel.execute('act', {}, { once: 'a' }) };
  };

  const intents: readonly { title: string; fates: readonly WriteFate[]; failingReads: number; isRefused: boolean }[] = [
    { title: 'run at once where the write of the intent has happened', fates: ['written'], failingReads: 0, isRefused: false },
    { title: 'are refused, and run when they are made again, where it has not', fates: ['lost'], failingReads: 0, isRefused: true },
    {
      title: 'are refused, and run when they are made again, where that cannot be read',
      fates: ['written'],
      failingReads: 1,
      isRefused: true,
    },
    { title: 'are refused, and run when they are made again, where it happens later', fates: ['late'], failingReads: 0, isRefused: true },
  ];
  for (const { title, fates, failingReads, isRefused } of intents)
    it(title, async () => {
      const { unreliable, call } = await opened();
      unreliable.next(...fates);
      unreliable.failingReads = failingReads;
      if (isRefused) await rejection(call(), 'STATE_UNAVAILABLE');
      await unreliable.arrive();
      for (const _ of [1, 2]) expect(await call()).to.equal(1);
    });

  for (const fate of ['lost', 'written'] as const)
    it(`have their outcome where its first write is ${fate}, in other processes too`, async () => {
      const { unreliable, call, kernelOf } = await opened();
      const other = await kernelOf();
      unreliable.next('succeeds', fate, fate);
      expect(await call()).to.equal(1);
      expect(await other.execute('act', {}, { once: 'a' })).to.equal(1);
    });

  it('have their whole time where the store takes longer than that to write the intent', async () => {
    const store = new MemoryStore(Date.now);
    const timeoutMs = 50;
    const slow = new Proxy(store, {
      get: (target, name) => {
        if (name === 'compareAndSet')
          return (...given: Parameters<MemoryStore['compareAndSet']>) => wait(2 * timeoutMs).then(() => target.compareAndSet(...given));
        const member: unknown = Reflect.get(target, name);
        return typeof member === 'function' ? member.bind(target) : member;
      },
    });
    const execution = { type: 'function', handler: () => 'done', timeout_ms: timeoutMs };
    const act = { ...echoTool(), name: 'act', risk: 'medium', execution };
    const kernel = await testKernel({ tools: [act], plugins: [callsOnce(), new UnreliableStore(slow, '/').plugin()] });
    expect(await kernel.execute('act', {}, { once: 'a' })).to.equal('done');
  });

  it('have their outcome where their kernel closes while the store is away', async () => {
    const { unreliable, call, kernel, kernelOf } = await opened();
    unreliable.next('succeeds', 'lost', 'lost', 'lost');
    expect(await call()).to.equal(1);
    await kernel.close();
    expect(await (await kernelOf()).execute('act', {}, { once: 'a' })).to.equal(1);
  });

  it('have the result of another process that ends while they read that it runs', async () => {
    const state = new MemoryStore(Date.now);
    let finish: (result: string) => void = () => {};
    const result = new Promise<string>((resolve) => {
      finish = resolve;
    });
    const started = new EventEmitter();
    const act = (handler: () => Promise<string>) => ({
      ...echoTool(),
      name: 'act',
      risk: 'medium',
      execution: { type: 'function', handler },
    });
    const kernelOf = (store: StateStore, handler: () => Promise<string>) =>
      testKernel({ tools: [act(handler)], plugins: [callsOnce(), new UnreliableStore(store, '/').plugin()] });
    const first = await kernelOf(state, () => {
      started.emit('started');
      return result;
    });
    const running = once(started, 'started');
    const call = first.execute('act', {}, { once: 'a' });
    await running;
    const endsFirst: StateStore = new Proxy(state, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (name !== 'get') return typeof member === 'function' ? member.bind(target) : member;
        return async (key: string) => {
          const read = await target.get(key);
          if (!key.includes('/intent/') || read === undefined) return read;
          finish('done');
          await call;
          await first.close();
          return read;
        };
      },
    });
    const second = await kernelOf(endsFirst, async () => expect.fail('it ran twice'));
    expect(await second.execute('act', {}, { once: 'a' })).to.equal('done');
    expect(await call).to.equal('done');
  });
});
