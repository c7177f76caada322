import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { validateDefinitions } from '../../../../../plugins/cli/commands/validate/validate-definitions.ts';
import { executorFunction, standard } from '../../../../../plugins/toolkit/index.ts';
import { temporaryFolder } from '../../../../support/temporary.ts';
import { goodTool, kernelOf, validated } from './validated.ts';

const tool = (code: string): string => goodTool('say').replace(/^execution.*$/m, `execution: { type: function, code: ${code} }`);
const at = 'tools/say.yaml:5:30: error: execution.code';

interface Case {
  readonly title: string;
  readonly code: string;
  readonly text: string;
  /** All that is found; nothing by default. */
  readonly line?: string;
}

const cases: readonly Case[] = [
  { title: 'a module with a default export', code: './say.js', text: 'export default () => 1;' },
  { title: 'an export by its name', code: './say.ts#say', text: 'const say = (a: string): string => a;\nexport { say };' },
  { title: 'an export of several values at once', code: './say.mjs#b', text: 'export const { a, b } = { a: 1, b: () => 2 };' },
  { title: 'a CommonJS module, which may compute what it exports', code: './say.cjs#say', text: "module.exports['s' + 'ay'] = () => 1;" },
  { title: 'a module that passes on what another one has', code: './say.js#say', text: "export * from './other.js';" },
  { title: 'a module that waits while it loads', code: './say.mjs', text: 'export default await 1;' },
  { title: 'a Python function', code: './say.py', text: 'async def run(params, context):\n    return 1\n' },
  { title: 'a Python function under a name of its own', code: './say.py#say', text: 'def make():\n  return print\nsay = make()\n' },
  { title: 'a Python file that takes over what another one has', code: './say.py#say', text: 'from other import *\n' },
  {
    title: 'an export that is not there',
    code: './say.ts#handel',
    text: 'export type Handel = string;\nexport function handle(): void {}',
    line: `${at} names "handel", which say.ts does not have. Did you mean "handle"? It has handle`,
  },
  {
    title: 'a type in the place of a function',
    code: './say.ts#Say',
    text: 'export type Say = string;',
    line: `${at} names "Say", which say.ts does not have. It has nothing that others can use`,
  },
  {
    title: 'neither of the names that are tried',
    code: './say.js',
    text: 'export const other = 1;',
    line: `${at} names "default" or "run", which say.js does not have. It has other`,
  },
  {
    title: 'JavaScript that cannot be parsed',
    code: './say.js',
    text: 'export default () => {\n  return ];\n};\n',
    line: 'tools/say.js:2:10: error: cannot be parsed: Unexpected token',
  },
  {
    title: 'TypeScript that cannot be parsed',
    code: './say.ts',
    text: 'export default (a: ) => a;\n',
    line: 'tools/say.ts:1:20: error: cannot be parsed: Unexpected token',
  },
  {
    title: 'a Python function that is not there',
    code: './say.py#rum',
    text: 'def run(params, context):\n    return 1\n',
    line: `${at} names "rum", which say.py does not have. Did you mean "run"? It has run`,
  },
  {
    title: 'Python that cannot be parsed',
    code: './say.py',
    text: 'def run(params, context):\n    return ]\n',
    line: "tools/say.py:2:12: error: cannot be parsed: unmatched ']'",
  },
];

describe('the code of tools that are validated', () => {
  for (const { title, code, text, line } of cases)
    it(`${line === undefined ? 'may be' : 'is wrong with'} ${title}`, async () => {
      const [file = ''] = code.split('#');
      const cwd = await temporaryFolder({ 'tools/say.yaml': tool(code), [path.join('tools', file)]: text });
      const found = (await validated(cwd)).split('\n').slice(0, -2);
      expect(found).to.deep.equal(line === undefined ? [] : [line]);
    });

  it('is looked at for commands as well', async () => {
    const definition = goodTool('say').replace("args: ['text={text}'] }", "args: ['text={text}'], parse: ./say.js#read }");
    const cwd = await temporaryFolder({ 'tools/say.yaml': definition, 'tools/say.js': 'export const parse = () => 1;' });
    expect(await validated(cwd)).to.match(/^tools\/say\.yaml:5:67: error: execution\.parse names "read", which say\.js does not have\./);
  });

  it('is told once where several tools have it', async () => {
    const other = tool('./say.js#b').replace('name: say', 'name: say_b');
    const cwd = await temporaryFolder({
      'tools/say.yaml': tool('./say.js#a'),
      'tools/b.yaml': other,
      'tools/say.js': 'export const a = ;',
    });
    expect((await validated(cwd)).match(/cannot be parsed/g)).to.have.length(1);
  });

  it('never runs', async () => {
    const leaves = "import { writeFileSync } from 'node:fs';\nwriteFileSync(new URL('ran', import.meta.url), '');\nexport default () => 1;";
    const python = "open(__file__ + '.ran', 'w').close()\ndef run(params, context):\n    return 1\n";
    const cwd = await temporaryFolder({
      'tools/say.yaml': tool('./say.mjs'),
      'tools/say.mjs': leaves,
      'tools/py.yaml': tool('./say.py').replace('name: say', 'name: say_py'),
      'tools/say.py': python,
    });
    expect(await validated(cwd)).to.equal('2 tools, 0 providers, 0 skills: 0 errors, 0 warnings\n');
    expect(['ran', 'say.py.ran'].filter((name) => existsSync(path.join(cwd, 'tools', name)))).to.deep.equal([]);
  });

  it('is not looked at without the program that could parse it, which is no problem of the definition', async () => {
    const cwd = await temporaryFolder({ 'tools/say.yaml': tool('./say.py'), 'tools/say.py': 'def run(\n' });
    const plugins = [
      standard({ toolPaths: ['tools'], includeCore: false, autoDiscover: false }),
      executorFunction({ python: 'no-such-python' }),
    ];
    const { findings, unchecked } = await validateDefinitions({ paths: ['tools'], cwd, createKernel: kernelOf(cwd, plugins) });
    expect(findings).to.deep.equal([]);
    expect([...unchecked]).to.deep.equal([
      ['The program "no-such-python" is not installed or not on the PATH. Install it, then try again.', ['say']],
    ]);
  });
});
