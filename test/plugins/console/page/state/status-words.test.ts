import { expect } from 'chai';
import { measured, nameInWords, valueInWords } from '../../../../../plugins/console/page/state/status-words.ts';

describe('The words of a status', () => {
  for (const [name, words] of [
    ['notClosed', 'Refused or being tried'],
    ['halfOpen', 'Half open'],
    ['idleMs', 'Idle'],
    ['cache.bytes', 'Cache bytes'],
    ['inUse', 'Calls that run, by caller'],
    ['Ms', 'Ms'],
  ] as const)
    it(`call ${name} "${words}"`, () => {
      expect(nameInWords(name)).to.equal(words);
    });

  for (const [name, value, words] of [
    ['open', 1000, '1,000'],
    ['idleMs', 1_800_000, '30 min'],
    ['maxBytes', 1_482_311, '1.5 MB'],
    ['isOpen', true, 'yes'],
    ['caller', null, 'none'],
  ] as const)
    it(`write ${String(value)} of ${name} as "${words}"`, () => {
      expect(valueInWords(name, value)).to.equal(words);
    });

  for (const [value, unit, words] of [
    [1, '{call}', '1 call'],
    [2, '{retry}', '2 retries'],
    [0, '{process}', '0 processes'],
    [999, 'By', '999 B'],
    [1500, 'By', '1.5 kB'],
    [1.5, 's', '1.5 s'],
    [3, '', '3'],
  ] as const)
    it(`write ${value} with the unit "${unit}" as "${words}"`, () => {
      expect(measured(value, unit)).to.equal(words);
    });
});
