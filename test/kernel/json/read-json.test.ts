import { expect } from 'chai';
import { readJson } from '../../../kernel/json/read-json.ts';
import { writeJson } from '../../../kernel/json/write-json.ts';

describe('readJson', () => {
  const texts: readonly (readonly [text: string, value: unknown])[] = [
    ['{"id":1915883588174806058,"list":[9007199254740993]}', { id: '1915883588174806058', list: ['9007199254740993'] }],
    [
      '[9007199254740991,9007199254740992,-9007199254740991,-9007199254740992]',
      [9007199254740991, '9007199254740992', -9007199254740991, '-9007199254740992'],
    ],
    [' 123456789012345678901234567890 ', '123456789012345678901234567890'],
    [
      '[0.12345678901234567,1e300,12345678901234567e0,12345678901234567.5]',
      [0.12345678901234566, 1e300, 12345678901234568, 12345678901234568],
    ],
    ['{"a":"12345678901234567","b":"\\\\","c":12345678901234567}', { a: '12345678901234567', b: '\\', c: '12345678901234567' }],
    ['["\\"12345678901234567",12345678901234567]', ['"12345678901234567', '12345678901234567']],
    ['{"9007199254740993":{"__proto__":9007199254740993}}', JSON.parse('{"9007199254740993":{"__proto__":"9007199254740993"}}')],
    ['[1,2]', [1, 2]],
  ];
  for (const [text, value] of texts) {
    it(`reads ${text}`, () => expect(readJson(text)).to.deep.equal(value));
  }

  const broken = [
    '012345678901234567',
    '{12345678901234567:1}',
    `{12345678901234567${' '.repeat(500)}:1}`,
    '"abc 12345678901234567',
    '"a""12345678901234567',
    '12345678901234567-12345678901234567',
    '12345678901234567 12345678901234567',
    '.12345678901234567',
    '12345678901234567.',
    '12345678901234567e',
    '\\"12345678901234567',
    '12345678901234567x',
  ];
  for (const text of broken) {
    it(`refuses ${text.slice(0, 40)} with the words of JSON.parse`, () => {
      let expected: unknown;
      try {
        JSON.parse(text);
      } catch (error) {
        expected = error;
      }
      expect(() => readJson(text)).to.throw(SyntaxError, (expected as Error).message);
    });
  }
});

describe('writeJson', () => {
  it('writes digits as a number only at places of an integer', () => {
    const value = { id: '1915883588174806058', name: '1915883588174806058', list: ['-9007199254740993', 'x'], small: '12' };
    const text = writeJson(value, ([first]) => first !== 'name');
    expect(text).to.equal('{"id":1915883588174806058,"name":"1915883588174806058","list":[-9007199254740993,"x"],"small":"12"}');
  });

  it('keeps a member named __proto__', () => {
    expect(writeJson(JSON.parse('{"__proto__":"9007199254740993"}'), () => true)).to.equal('{"__proto__":9007199254740993}');
  });
});
