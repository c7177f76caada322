import { expect } from 'chai';
import type { Asker } from '../../../../plugins/upstreams/ask/asker.ts';
import { RunningRequests } from '../../../../plugins/upstreams/ask/running-requests.ts';

const { signal } = new AbortController();

const asker = (caller: string, repeatsCall = false): Asker => ({ caller, client: { repeatsCall }, signal, fail: () => {} });

/** Returns the asker's caller, or the reason why it is not certain. */
function questionFor(isOfOneCaller: boolean, running: readonly Asker[], abandoned: readonly Asker[] = []): string {
  const requests = new RunningRequests(isOfOneCaller);
  for (const one of [...running, ...abandoned]) requests.begin(one);
  for (const one of abandoned) requests.end(one, false);
  const found = requests.certain();
  return typeof found === 'string' ? found : found.caller;
}

describe('the request for which a server of 2025 asks', () => {
  const [ada, again, bob] = [asker('ada'), asker('ada'), asker('bob')];
  const repeating = [asker('ada', true), asker('ada', true)];
  const cases: readonly (readonly [title: string, found: string, expected: string])[] = [
    ['no call in progress', questionFor(false, []), 'idle'],
    ['no call in progress on a process of one caller', questionFor(true, []), 'idle'],
    ['one call', questionFor(false, [ada]), 'ada'],
    ['calls of two callers', questionFor(false, [ada, bob]), 'several'],
    ['two calls of one caller on a shared process', questionFor(false, [ada, again]), 'several'],
    ['two calls on a process of one caller', questionFor(true, [ada, again]), 'ada'],
    ['two calls on a process of one caller, which a question ends', questionFor(true, repeating), 'several'],
    ['one call on a process of one caller, which a question ends', questionFor(true, repeating.slice(0, 1)), 'ada'],
    ['a call beside one of another caller that was given up', questionFor(false, [ada], [bob]), 'abandoned'],
    ['a call beside an own one that was given up', questionFor(false, [ada], [again]), 'ada'],
    ['a call that was given up alone', questionFor(false, [], [ada]), 'idle'],
  ];
  for (const [title, found, expected] of cases)
    it(`is ${expected}: ${title}`, () => {
      expect(found).to.equal(expected);
    });
});
