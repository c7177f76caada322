import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { executorCommand } from '../../../plugins/executor-command/index.ts';
import { functionKernel } from './function-kernel.ts';

const viaHelper = 'import { word } from "./helper.mjs"; export default () => word';

interface Case {
  readonly what: string;
  readonly files: Readonly<Record<string, string>>;
  readonly execution: Readonly<Record<string, unknown>>;
  readonly change: Readonly<Record<string, string>>;
}

const cases: readonly Case[] = [
  {
    what: 'a JavaScript module',
    files: { 'a.mjs': 'export default () => "old"' },
    execution: { code: './a.mjs' },
    change: { 'a.mjs': 'export default () => "new"' },
  },
  {
    what: 'a TypeScript module',
    files: { 'a.ts': 'export default (): string => "old"' },
    execution: { code: './a.ts' },
    change: { 'a.ts': 'export default (): string => "new"' },
  },
  {
    what: 'a CommonJS module',
    files: { 'a.cjs': 'module.exports = () => "old"' },
    execution: { code: './a.cjs' },
    change: { 'a.cjs': 'module.exports = () => "new"' },
  },
  {
    what: 'a module that waits while it loads',
    files: { 'a.mjs': 'const word = await Promise.resolve("old"); export default () => word' },
    execution: { code: './a.mjs' },
    change: { 'a.mjs': 'const word = await Promise.resolve("new"); export default () => word' },
  },
  {
    what: 'a module that the module imports',
    files: { 'a.mjs': viaHelper, 'helper.mjs': 'export const word = "old"' },
    execution: { code: './a.mjs' },
    change: { 'helper.mjs': 'export const word = "new"' },
  },
  {
    what: 'a module that runs in a thread',
    files: { 'a.mjs': viaHelper, 'helper.mjs': 'export const word = "old"' },
    execution: { code: './a.mjs', worker: true },
    change: { 'helper.mjs': 'export const word = "new"' },
  },
  {
    what: 'a Python module that the module imports',
    files: { 'a.py': 'from helper import word\n\ndef run(parameters, context):\n    return word\n', 'helper.py': 'word = "old"\n' },
    execution: { code: './a.py' },
    change: { 'helper.py': 'word = "new"\n' },
  },
  {
    what: 'the parser of a command',
    files: { 'parse.mjs': 'export default () => "old"' },
    execution: { type: 'command', command: 'true', parse: './parse.mjs' },
    change: { 'parse.mjs': 'export default () => "new"' },
  },
];

describe('code that has changed', () => {
  for (const { what, files, execution, change } of cases) {
    it(`takes effect after a reload that says so: ${what}`, async () => {
      const { kernel, folder } = await functionKernel({ files, tools: { it: execution }, plugins: [executorCommand()] });
      expect(await kernel.execute('it')).to.equal('old');
      for (const [name, text] of Object.entries(change)) await writeFile(path.join(folder, name), text);
      await kernel.reload({ code: true });
      expect(await kernel.execute('it')).to.equal('new');
    });
  }

  it('shares one copy of a module among the tools that import it', async () => {
    const count = 'import { next } from "./helper.mjs"; export default () => next()';
    const helper = (start: number): string => `let last = ${start}; export const next = () => ++last`;
    const { kernel, folder } = await functionKernel({
      files: { 'a.mjs': count, 'b.mjs': count, 'helper.mjs': helper(0) },
      tools: { a: './a.mjs', b: './b.mjs' },
    });
    expect([await kernel.execute('a'), await kernel.execute('b')]).to.deep.equal([1, 2]);
    await writeFile(path.join(folder, 'helper.mjs'), helper(10));
    await kernel.reload({ code: true });
    expect([await kernel.execute('a'), await kernel.execute('b')]).to.deep.equal([11, 12]);
  });

  it('is corrected after a mistake', async () => {
    const { kernel, folder } = await functionKernel({ files: { 'a.mjs': 'export default () => "old"' }, tools: { it: './a.mjs' } });
    await writeFile(path.join(folder, 'a.mjs'), 'export default ( => "new"');
    await kernel.reload({ code: true });
    const failure = await kernel.execute('it').catch((error: unknown) => error);
    expect(String(failure)).to.include('a.mjs does not load');
    await writeFile(path.join(folder, 'a.mjs'), 'export default () => "new"');
    await kernel.reload({ code: true });
    expect(await kernel.execute('it')).to.equal('new');
  });

  it('has no effect on another reload: what runs is kept', async () => {
    const { kernel, folder } = await functionKernel({ files: { 'a.mjs': 'export default () => "old"' }, tools: { it: './a.mjs' } });
    expect(await kernel.execute('it')).to.equal('old');
    await writeFile(path.join(folder, 'a.mjs'), 'export default () => "new"');
    await kernel.reload();
    expect(await kernel.execute('it')).to.equal('old');
  });
});
