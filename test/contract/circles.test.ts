import path from 'node:path';
import { expect } from 'chai';
import { circlesOf } from './circles.ts';
import { type Import, importsIn, importsOf } from './imports.ts';

/** `'a b'` for a file a that imports a file b. */
function circlesIn(...lines: readonly string[]): string[][] {
  const imports = lines.map((line) => line.split(' ')).map(([from = '', to = '']) => ({ from, to, isType: false }));
  return circlesOf(imports).map((circle) => circle.map(({ from, to }) => `${from} ${to}`));
}

describe('circles of imports', () => {
  for (const { what, lines, circles } of [
    { what: 'two ways to one file', lines: ['a b', 'a c', 'b d', 'c d'], circles: [] },
    { what: 'two files', lines: ['a b', 'b a', 'b c'], circles: [['a b', 'b a']] },
    { what: 'a file that imports itself', lines: ['a a', 'a b'], circles: [['a a']] },
    { what: 'a long way round', lines: ['top a', 'a b', 'b c', 'c d', 'd a', 'd end'], circles: [['a b', 'b c', 'c d', 'd a']] },
    { what: 'circles that share a file', lines: ['a b', 'b a', 'b c', 'c b'], circles: [['a b', 'b a', 'b c', 'c b']] },
    {
      what: 'a circle above another',
      lines: ['a b', 'b a', 'a c', 'c d', 'd c'],
      circles: [
        ['a b', 'b a'],
        ['c d', 'd c'],
      ],
    },
    {
      what: 'two of them apart',
      lines: ['a b', 'c d', 'b a', 'd c'],
      circles: [
        ['a b', 'b a'],
        ['c d', 'd c'],
      ],
    },
  ]) {
    it(`are found, and nothing else: ${what}`, () => expect(circlesIn(...lines)).to.deep.equal(circles));
  }
});

describe('imports in a text', () => {
  for (const { text, to, isType = false } of [
    { text: "import a from './a.ts';", to: 'folder/a.ts' },
    { text: "import './a.ts';", to: 'folder/a.ts' },
    { text: "import {\n  one,\n  two,\n} from '../a.ts';", to: 'a.ts' },
    { text: "import type { A } from './a.ts';", to: 'folder/a.ts', isType: true },
    { text: "import { type A } from './a.ts';", to: 'folder/a.ts' },
    { text: "export * from './a.ts';", to: 'folder/a.ts' },
    { text: "export type { A } from './a.ts';", to: 'folder/a.ts', isType: true },
    { text: "const { a } = await import('./a.ts');", to: 'folder/a.ts' },
    { text: "type A = import('./a.ts').A;", to: 'folder/a.ts' },
    { text: "type A = typeof import('yaml');", to: 'yaml' },
    { text: "const { a } = require('yaml');", to: 'yaml' },
    { text: "return createRequire(import.meta.url)('yaml');", to: 'yaml' },
  ]) {
    it(`are found: ${text.replace(/\s+/g, ' ')}`, () =>
      expect(importsIn(`// First.\n${text}\n`, 'folder/file.ts')).to.deep.equal([{ from: 'folder/file.ts', to, isType }]));
  }

  it('are not found where the text of a file is written', () => {
    const written = `export const line = \`import x from '\${from}';\`;
export const name = 'import';
`;
    expect(importsIn(written, 'file.ts')).to.deep.equal([]);
  });
});

/** The folders of the kernel, and the two files at its top that its folders use. Each imports only from what stands before it, types included. */
const kernelOrder: readonly string[] = [
  'errors.ts',
  'trace/',
  'outbound.ts',
  'time/',
  'json/',
  'schema/',
  'files/',
  'log/',
  'state/',
  'client/',
  'definition/schema/',
  'definition/check/',
  'definition/link/',
  'definition/cache/',
  'definition/resources/',
  'definition/registry/',
  'taps/',
  'secrets/',
  'source/',
  'discovery/',
  'call/',
  'call/context/',
  'call/end/',
  'call/parameters/',
  'approval/',
  'durable/',
  'serve/',
  './',
];

describe('the folders of the kernel', () => {
  const indexOf = (file: string): number => {
    const name = path.relative('kernel', file);
    const known = kernelOrder.indexOf(name);
    return known >= 0 ? known : kernelOrder.indexOf(`${path.dirname(name)}/`);
  };
  const ours = async (): Promise<readonly Import[]> =>
    (await importsOf('kernel/**/*.ts')).filter(({ to }) => to.startsWith(`kernel${path.sep}`));

  it('are all in the list, and no other', async () => {
    const imports = await ours();
    const files = [...new Set(imports.flatMap(({ from, to }) => [from, to]))];
    expect(files.filter((file) => indexOf(file) < 0)).to.deep.equal([]);
    expect(kernelOrder.filter((_, index) => !files.some((file) => indexOf(file) === index))).to.deep.equal([]);
  });

  it('import only from folders before them, types included', async () => {
    const imports = await ours();
    expect(imports.length).to.be.greaterThan(500);
    expect(imports.filter(({ from, to }) => indexOf(to) > indexOf(from)).map(({ from, to }) => `${from} -> ${to}`)).to.deep.equal([]);
  });
});
