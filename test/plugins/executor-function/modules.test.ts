import path from 'node:path';
import { expect } from 'chai';
import { executorFunction } from '../../../plugins/executor-function/index.ts';
import { checkPlugin } from '../../../plugins/toolkit/testing.ts';
import { rejection } from '../../support/rejection.ts';
import { functionKernel, remove } from './function-kernel.ts';

describe('the module of a function tool', () => {
  const found = [
    { what: 'the default export of a JavaScript module', file: 'a.mjs', text: 'export default () => "here"', code: './a.mjs' },
    { what: 'the export "run" without a default', file: 'a.mjs', text: 'export const run = () => "here"', code: './a.mjs' },
    {
      what: 'a named export of a JavaScript module',
      file: 'a.mjs',
      text: 'export const go = () => "here"; export default 1',
      code: './a.mjs#go',
    },
    {
      what: 'the default export of a TypeScript module',
      file: 'a.ts',
      text: 'export default (_: { value?: string }): string => "here"',
      code: './a.ts',
    },
    {
      what: 'a named export of a TypeScript module',
      file: 'a.ts',
      text: 'const x: string = "here"; export function go(): string { return x }',
      code: './a.ts#go',
    },
    { what: 'the function that a CommonJS module is', file: 'a.cjs', text: 'module.exports = async () => "here"', code: './a.cjs' },
    { what: 'a function among the exports of a CommonJS module', file: 'a.cjs', text: 'exports.run = () => "here"', code: './a.cjs' },
    {
      what: 'a compiled module where the TypeScript source is not installed',
      file: 'a.js',
      text: 'export default () => "here"',
      code: './a.ts',
    },
    {
      what: 'a module in another folder',
      file: 'lib/deep/a.mjs',
      text: 'export default () => "here"',
      code: './lib/deep/a.mjs',
    },
  ];
  for (const { what, file, text, code } of found) {
    it(`gives ${what}`, async () => {
      const { kernel } = await functionKernel({ files: { [file]: text, 'package.json': '{"type":"module"}' }, tools: { it: code } });
      expect(kernel.registry.problems).to.deep.equal([]);
      expect(await kernel.execute('it')).to.equal('here');
    });
  }

  const broken = [
    {
      what: 'no export of that name',
      text: 'export const gone = 1; export const goes = () => 1',
      code: './a.mjs#go',
      says: 'Did you mean "goes"',
    },
    { what: 'an export that is not a function', text: 'export const go = 3', code: './a.mjs#go', says: 'received number 3' },
    { what: 'no export at all', text: 'globalThis.seen = 1', code: './a.mjs', says: 'does not export "default" or "run" as a function' },
    { what: 'a throw while it loads', text: 'throw new Error("no licence")', code: './a.mjs', says: 'does not load: no licence' },
    { what: 'a syntax error', text: 'export default (', code: './a.mjs', says: 'does not load' },
    { what: 'an import that is not there', text: 'import "./absent.mjs"; export default 1', code: './a.mjs', says: 'absent.mjs' },
  ];
  for (const { what, text, code, says } of broken) {
    it(`with ${what} is refused when it is called, with its path`, async () => {
      const { kernel, folder } = await functionKernel({ files: { 'a.mjs': text }, tools: { it: code } });
      const error = await rejection(kernel.execute('it'), 'TOOL_INVALID');
      expect(error.message).to.include(says);
      expect(error.details['file']).to.equal(path.join(folder, 'a.mjs'));
      expect(error.details.tool).to.equal('it');
    });
  }

  it('that does not exist is refused when the tools load, at its place in the definition', async () => {
    const { kernel, folder } = await functionKernel({
      files: { 'ok.mjs': 'export default () => 1' },
      tools: { gone: './gone.mjs', ok: './ok.mjs' },
    });
    const [problem, ...rest] = kernel.registry.problems;
    expect(rest).to.deep.equal([]);
    expect(problem).to.include({
      severity: 'error',
      code: 'TOOL_INVALID',
      tool: 'gone',
      path: 'execution.code',
      file: path.join(folder, 'gone.yaml'),
    });
    expect(problem?.position?.line).to.equal(1);
    expect(problem?.message).to.include('expected a module that exists, received "./gone.mjs"').and.include(folder);
    expect((await rejection(kernel.execute('gone'), 'TOOL_INVALID')).message).to.include('./gone.mjs');
    expect(await kernel.execute('ok')).to.equal(1);
  });

  it('that is removed later is an error of the call', async () => {
    const { kernel, folder } = await functionKernel({ files: { 'a.mjs': 'export default () => 1' }, tools: { it: './a.mjs' } });
    await remove(folder, 'a.mjs');
    expect((await rejection(kernel.execute('it'), 'TOOL_INVALID')).message).to.include('is gone');
  });

  it('is loaded once for all calls', async () => {
    const files = { 'a.mjs': 'let calls = 0; export default () => ++calls' };
    const { kernel } = await functionKernel({ files, tools: { it: './a.mjs' } });
    expect([await kernel.execute('it'), await kernel.execute('it'), await kernel.execute('it')]).to.deep.equal([1, 2, 3]);
  });
});

describe('the execution of a function tool', () => {
  const refused = [
    { what: 'neither code nor handler', execution: {}, says: 'is required' },
    { what: 'another kind of file', execution: { code: './a.rb' }, says: 'a.rb' },
    { what: 'a handler that is not a function', execution: { handler: 'a.mjs' }, says: 'expected a function' },
    { what: 'a mistyped key', execution: { code: './a.mjs', wroker: true }, says: 'Did you mean "worker"?' },
    { what: 'a worker that there is not', execution: { code: './a.mjs', worker: 'yes' }, says: '"process"' },
  ];
  for (const { what, execution, says } of refused) {
    it(`is refused with ${what}`, async () => {
      const { kernel } = await functionKernel({ files: { 'a.mjs': 'export default () => 1' }, tools: { it: execution } });
      expect((await rejection(kernel.execute('it'), 'TOOL_INVALID')).message).to.include(says);
    });
  }
});

describe('the executor of functions', () => {
  it('is a plugin that keeps the contract', async () => {
    expect(await checkPlugin(executorFunction, { maxThreads: 1 })).to.deep.equal([]);
  });
});
