/** Tests of large inputs, each in a process of at most 256 MiB: in the whole round files of 1 GiB, diffs of 100,000 lines, folders and archives of 50,000 entries. */
import { after, afterEach, before } from 'mocha';
import { testBrokenFiles } from './sizes/broken-files.ts';
import { type Ground, makeGround } from './sizes/ground.ts';
import { testLargeDiffs } from './sizes/large-diffs.ts';
import { testLargeFiles } from './sizes/large-files.ts';
import { testManyEntries } from './sizes/many-entries.ts';

describe('a tool within 256 MiB of memory', () => {
  let made: Ground | undefined;

  const ground = (): Ground => {
    if (made === undefined) throw new Error('the suite has not begun');
    return made;
  };

  before(async () => {
    made = await makeGround();
  });

  afterEach(() => made?.clear());

  after(() => made?.remove());

  testLargeFiles(ground);
  testLargeDiffs(ground);
  testManyEntries(ground);
});

describe('many files', () => {
  testBrokenFiles();
});
