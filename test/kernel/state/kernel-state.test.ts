import { expect } from 'chai';
import type { StateStore } from '../../../kernel/index.ts';
import { KernelState } from '../../../kernel/state/kernel-state.ts';
import { rejection } from '../../support/rejection.ts';

describe('what a plugin asks of its state', () => {
  const asked: Readonly<Record<string, (state: StateStore) => Promise<unknown>>> = {
    'an empty key': (state) => state.set('', '1'),
    'a key with a null byte': (state) => state.get('a\0'),
    'a key that is too long': (state) => state.get('é'.repeat(513)),
    'a key that UTF-8 cannot hold': (state) => state.get('a\ud800'),
    'a key that is no text': (state) => state.get(1 as never),
    'a value that is no text': (state) => state.set('a', { a: 1 } as never),
    'a value that is too long': (state) => state.set('a', 'x'.repeat(4 * 1024 * 1024 + 1)),
    'a value that UTF-8 cannot hold': (state) => state.compareAndSet('a', undefined, '\udc00'),
    'a further value that is too long': (state) =>
      state.compareAndSet('a', undefined, '1', { also: [{ key: 'b', value: 'x'.repeat(4 * 1024 * 1024 + 1) }] }),
    'a further key that is empty': (state) => state.compareAndSet('a', undefined, '1', { also: [{ key: '', value: '1' }] }),
    'further changes of the same key': (state) => state.compareAndSet('a', undefined, '1', { also: [{ key: 'a', value: undefined }] }),
    'further changes without one': (state) => state.compareAndSet('a', undefined, undefined, { also: [{ key: 'b', value: '1' }] }),
    'no time': (state) => state.set('a', '1', { ttlMs: 0 }),
    'a time that is no number': (state) => state.set('a', '1', { ttlMs: Number.NaN }),
    'a window of nothing': (state) => state.increment('a', { windowMs: 0.5 }),
    'a count of nothing': (state) => state.increment('a', { windowMs: 1, by: -1 }),
    'a page of nothing': (state) => state.list('', { limit: 0 }),
  };
  for (const [what, ask] of Object.entries(asked)) {
    it(`is refused where no store takes it: ${what}`, async () => {
      const { message } = await rejection(ask(new KernelState(Date.now).of('plugin')), 'PLUGIN_INVALID');
      expect(message).to.match(/expected .*, received /);
    });
  }
});
