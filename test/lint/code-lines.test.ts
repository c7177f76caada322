import { expect } from 'chai';
import { countCodeLines } from './code-lines.ts';

/** Code, and the number of its lines that count. */
const rows: readonly (readonly [title: string, code: string, lines: number])[] = [
  ['blank lines and lines of blanks', 'const a = 1;\n\n  \t\nconst b = 2;\n', 2],
  ['a comment on lines of its own', '// one\n/** two\n * three\n */\nconst a = 1;\n', 1],
  ['a comment beside code', 'const a = 1; // one\nconst b = /* two\n three */ 2;\n', 3],
  [
    'what looks like a comment in a text, a template and a pattern',
    "const a = '// a';\nconst b = `\n// b\n/* c\n`;\nconst c = /[/*]/;\n",
    6,
  ],
  ['a comment inside a template, and a quote inside a comment', `const a = \`\${\n// one\n1}\`;\n/* \`\n*/\n`, 2],
  ['nothing but comments', '// one\n', 0],
];

describe('the number of lines that hold code', () => {
  for (const [title, code, lines] of rows)
    it(`counts right: ${title}`, () => {
      expect(countCodeLines(code, 'a.ts')).to.equal(lines);
    });
});
