import path from 'node:path';
import { expect } from 'chai';
import type { ErrorCode } from '../../../kernel/index.ts';
import { rejection } from '../../support/rejection.ts';
import { commandKernel } from './command-kernel.ts';

/** Prints its first argument to standard output and its second to standard error, and exits with the third. */
const files = {
  'say.mjs':
    'const [, , out, err, code] = process.argv; process.stdout.write(out); process.stderr.write(err ?? ""); process.exitCode = Number(code ?? 0);',
};
const say = (...args: string[]): Record<string, unknown> => ({ args: ['say.mjs', ...args] });

describe('the output of a command tool', () => {
  const parsed: { parse?: string; printed: string; output: unknown }[] = [
    { printed: ' a\nb\n', output: ' a\nb\n' },
    { parse: 'text', printed: '', output: '' },
    { parse: 'text', printed: 'ä€😀', output: 'ä€😀' },
    { parse: 'lines', printed: '', output: [] },
    { parse: 'lines', printed: 'a\nb\n', output: ['a', 'b'] },
    { parse: 'lines', printed: 'a\r\nb', output: ['a', 'b'] },
    { parse: 'lines', printed: 'a\n\nb\n\n', output: ['a', '', 'b', ''] },
    { parse: 'json', printed: ' {"a": [1, null]}\n', output: { a: [1, null] } },
    {
      parse: 'json',
      printed: '{"id":1915883588174806058,"n":-9007199254740995}',
      output: { id: '1915883588174806058', n: '-9007199254740995' },
    },
    { parse: './parse.mjs#named', printed: 'abc', output: 'named abc' },
    { parse: './parse.mjs', printed: 'abc', output: 'default abc' },
    { parse: './parse.mjs#later', printed: 'abc', output: 'later abc' },
    { parse: './parse.cjs', printed: 'abc', output: 'common abc' },
    { parse: './parse.ts#typed', printed: 'abc', output: 'typed abc' },
  ];
  const modules = {
    'parse.mjs':
      'export const named = (text) => "named " + text; export default (text) => "default " + text; export const later = async (text) => "later " + text;',
    'parse.cjs': 'exports.parse = (text) => "common " + text;',
    'parse.ts': 'export const typed = (text: string): string => "typed " + text;',
  };
  for (const { parse, printed, output } of parsed) {
    it(`is ${JSON.stringify(output)} when ${JSON.stringify(printed)} is parsed as ${parse ?? 'nothing in particular'}`, async () => {
      const execution = { ...say(printed), ...(parse === undefined ? {} : { parse }) };
      const { kernel } = await commandKernel({ execution, files: { ...files, ...modules } });
      expect(await kernel.execute('run')).to.deep.equal(output);
    });
  }

  it('is made by a parser that also gets arguments, parameters, exit code, standard error, the room for its output and the control files', async () => {
    const { kernel } = await commandKernel({
      execution: { ...say('out', 'err', '7'), success_codes: [7], parse: './parse.mjs' },
      parameters: { text: { type: 'string' } },
      files: {
        ...files,
        'parse.mjs':
          'export default (stdout, { run: _, controlFiles, ...rest }) => ({ stdout, rules: controlFiles.rules.length > 0, ...rest });',
      },
    });
    const result = await kernel.execute('run', { text: 'x' });
    expect(result).to.deep.equal({
      args: ['say.mjs', 'out', 'err', '7'],
      stdout: 'out',
      stderr: 'err',
      exitCode: 7,
      output: {},
      parameters: { text: 'x' },
      rules: true,
    });
  });

  it('comes with the exit code among the facts about the run', async () => {
    const { kernel } = await commandKernel({ execution: { ...say('out', '', '3'), success_codes: [0, 3] }, files });
    const { output, meta } = await kernel.call({ tool: 'run' });
    expect(output).to.equal('out');
    expect(meta).to.include({ exitCode: 3 });
  });

  const toolkitError = `import { ToolkitError } from ${JSON.stringify(path.resolve('kernel/index.ts'))};\n`;
  const unusable: { name: string; execution: Record<string, unknown>; parser?: string; code: ErrorCode; says: string[] }[] = [
    {
      name: 'is not JSON',
      execution: { ...say('oops'), parse: 'json' },
      code: 'OUTPUT_INVALID',
      says: ['"run" should print JSON', 'oops'],
    },
    {
      name: 'makes the parser throw',
      execution: { ...say('oops'), parse: './parse.ts' },
      parser: 'export default (): never => { throw new Error("cannot read this"); };',
      code: 'OUTPUT_INVALID',
      says: ['"./parse.ts" of "run" failed: cannot read this'],
    },
    {
      name: 'is refused by the parser with a code',
      execution: { ...say('oops'), parse: './parse.ts' },
      parser: `${toolkitError}export default (): never => { throw new ToolkitError("NOT_FOUND", "Nothing there."); };`,
      code: 'NOT_FOUND',
      says: ['Nothing there.'],
    },
    {
      name: 'is parsed to nothing',
      execution: { ...say('oops'), parse: './parse.ts' },
      parser: 'export default (): void => {};',
      code: 'OUTPUT_INVALID',
      says: ['received nothing'],
    },
    {
      name: 'is parsed by an export that is not there',
      execution: { ...say('oops'), parse: './parse.ts#pares' },
      parser: 'export const parse = (): string => "";',
      code: 'TOOL_INVALID',
      says: ['does not export "pares"', 'Did you mean "parse"?'],
    },
  ];
  for (const { name, execution, parser, code, says } of unusable) {
    it(`fails as ${code} when it ${name}`, async () => {
      const { kernel } = await commandKernel({ execution, files: { ...files, ...(parser === undefined ? {} : { 'parse.ts': parser }) } });
      const error = await rejection(kernel.execute('run'), code);
      for (const text of says) expect(error.message).to.include(text);
    });
  }

  const exits: { name: string; execution: Record<string, unknown>; says: string; exitCode: number | undefined }[] = [
    {
      name: 'with its standard error',
      execution: say('out', 'no such thing\n', '2'),
      says: 'exited with code 2: no such thing',
      exitCode: 2,
    },
    { name: 'with its standard output when it has no other', execution: say('out', '', '1'), says: 'exited with code 1: out', exitCode: 1 },
    {
      name: 'and says so when the program was silent',
      execution: say('', '', '1'),
      says: 'exited with code 1 and printed nothing',
      exitCode: 1,
    },
    {
      name: 'also on 0, when that is no success',
      execution: { ...say('', 'fine'), success_codes: [1] },
      says: 'exited with code 0: fine',
      exitCode: 0,
    },
    {
      name: 'when a signal ends the program',
      execution: { args: ['-e', 'process.kill(process.pid, "SIGKILL")'] },
      says: 'was ended by SIGKILL',
      exitCode: undefined,
    },
  ];
  for (const { name, execution, says, exitCode } of exits) {
    it(`is an error ${name}`, async () => {
      const { kernel } = await commandKernel({ execution, files });
      const error = await rejection(kernel.execute('run'), 'EXECUTION_FAILED');
      expect(error.message).to.include('of tool "run"').and.to.include(says);
      expect(error.details['exitCode']).to.equal(exitCode);
    });
  }

  it('shows at most 200 characters of standard error', async () => {
    const { kernel } = await commandKernel({ execution: say('', 'x'.repeat(5000), '1'), files });
    const error = await rejection(kernel.execute('run'), 'EXECUTION_FAILED');
    expect(error.message).to.match(/: x{199}…$/);
    expect(error.details['stderr']).to.have.length(200);
  });

  it('is complete at exactly the limit', async () => {
    const { kernel } = await commandKernel({ execution: say('x'.repeat(1000), 'y'.repeat(1000)), files, maxOutputBytes: 1000 });
    expect(await kernel.execute('run')).to.equal('x'.repeat(1000));
  });

  const tooLarge: { name: string; execution: Record<string, unknown> }[] = [
    { name: 'one byte over the limit', execution: say('x'.repeat(1001)) },
    { name: 'over the limit in characters of several bytes', execution: say('€'.repeat(334)) },
    { name: 'over the limit on standard error', execution: say('', 'x'.repeat(1001)) },
    { name: 'over the limit although the program then failed', execution: say('x'.repeat(1001), '', '1') },
    { name: 'endless', execution: { args: ['-e', 'setInterval(() => console.log("x".repeat(999)), 0)'] } },
    {
      name: 'over the limit and the program goes on silently',
      execution: { args: ['-e', 'console.log("x".repeat(2000)); setInterval(() => {}, 1e6)'] },
    },
  ];
  for (const { name, execution } of tooLarge) {
    it(`is refused when it is ${name}`, async () => {
      const { kernel } = await commandKernel({ execution, files, maxOutputBytes: 1000 });
      const error = await rejection(kernel.execute('run'), 'OUTPUT_TOO_LARGE');
      expect(error.message).to.include('more than 1000 bytes').and.to.include('"run"');
      expect(error.details['maxBytes']).to.equal(1000);
    });
  }
});
