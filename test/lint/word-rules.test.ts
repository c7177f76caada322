import { expect } from 'chai';
import { sourceWords } from './source-words.ts';
import { type WordRules, wordProblems } from './word-rules.ts';

const rules: WordRules = {
  firstWords: { What: 'a noun', 'How many': 'the noun, such as "Number of"' },
  names: { beatEvery: 'heartbeatMs', 'late-things': 'late-errors' },
};

const noun = 'a doc comment begins with "What". Begin with a noun.';
const heartbeat = 'the name "beatEvery" has a plain word: heartbeatMs.';

/** Code, or a file name, and the problems that are found in it. */
const rows: readonly (readonly [title: string, code: string, problems: readonly string[], file?: string])[] = [
  ['a doc comment above a function', '/** What it does. */\nfunction f() {}', [`a.ts:1: ${noun}`]],
  ['a doc comment of a member', 'interface A {\n  /**\n   * What it is.\n   */\n  readonly a: string;\n}', [`a.ts:2: ${noun}`]],
  [
    'a doc comment with two first words',
    '/** How many there are. */\nconst a = 1;',
    ['a.ts:1: a doc comment begins with "How many". Begin with the noun, such as "Number of".'],
  ],
  ['a word that only begins like one of the list', '/** Whatever it is. */\nconst a = 1;', []],
  ['a comment inside code, which may begin with any word', '// What it does.\n/* What it is. */\nconst a = 1;', []],
  ['a constant', 'const beatEvery = 1;', [`a.ts:1: ${heartbeat}`]],
  ['a private member', 'class A {\n  #beatEvery = 1;\n}', [`a.ts:2: ${heartbeat}`]],
  ['a member of a type', 'interface A { beatEvery: number }', [`a.ts:1: ${heartbeat}`]],
  ['a name that has it as a part', 'const beatEveryAgain = 1;', []],
  ['a text', "const a = 'beatEvery';", []],
  ['a file name', '', ['a/late-things.test.ts: the file name "late-things" has a plain word: late-errors.'], 'a/late-things.test.ts'],
  ['JavaScript', '/** What it does. */\nexport function f() {}', [`a.mjs:1: ${noun}`], 'a.mjs'],
];

describe('the words of code', () => {
  for (const [title, code, problems, file = 'a.ts'] of rows) {
    it(`${problems.length === 0 ? 'accept' : 'name'} ${title}`, () => {
      expect(wordProblems(file, sourceWords(code, file), rules)).to.deep.equal(problems);
    });
  }
});
