import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { confinePaths } from '../../../plugins/confine-paths/index.ts';
import { rejection } from '../../support/rejection.ts';
import { functionKernel } from './function-kernel.ts';

const library = import.meta.resolve('@duckdb/node-api');

/** Writes by a native library, which asks nobody; gives the process. */
const module = `
export const write = async ({ value, to }) => {
  const { DuckDBInstance } = await import(${JSON.stringify(library)});
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  await connection.run("COPY (SELECT range FROM range(1000)) TO '" + (to ?? value) + "' (FORMAT csv, USE_TMP_FILE false)");
  return process.pid;
};
export const pid = () => process.pid;
export const fails = () => { throw new Error('failed'); };
export const ask = ({ value }, { inChild }) => inChild('./it.mjs#write', { value });
`;

const inChild = { code: './it.mjs#write', worker: 'process' };

describe('a native library in a child process', () => {
  // Without "npm test", the sources are compiled for processes by whoever comes first.
  const opened = (
    execution: Readonly<Record<string, unknown>>,
    definition: Readonly<Record<string, unknown>> = {},
  ): ReturnType<typeof functionKernel> =>
    functionKernel({ files: { 'it.mjs': module }, tools: { it: execution }, definition, plugins: [confinePaths()] });

  it('is not loaded without "native"', async () => {
    const { kernel, folder } = await opened(inChild);
    const { message } = await rejection(kernel.execute('it', { value: path.join(folder, 'out.csv') }), 'EXECUTION_FAILED');
    expect(message).to.match(/native addon|dlopen|disabled/i);
  });

  it('can write to no file where the tool writes none', async () => {
    const { kernel, folder } = await opened({ ...inChild, native: true });
    const out = path.join(folder, 'out.csv');
    await rejection(kernel.execute('it', { value: out }), 'EXECUTION_FAILED');
    // To make a name is all that is left to it.
    expect((await stat(out).catch(() => ({ size: 0 }))).size).to.equal(0);
  });

  for (const [name, code] of Object.entries({ 'in the child process': inChild, 'through context.inChild': { code: './it.mjs#ask' } }))
    it(`writes where the tool has a path to write, ${name}`, async () => {
      const parameters = { value: { type: 'string' }, to: { type: 'string', path: 'write' } };
      const { kernel, folder } = await opened({ ...code, native: true }, { parameters });
      const out = path.join(folder, 'out.csv');
      expect(await kernel.execute('it', { value: out })).not.to.equal(process.pid);
      expect((await readFile(out, 'utf8')).split('\n').length).to.equal(1002);
    });

  it('is not used again by a process in which a call has failed', async () => {
    const { kernel } = await functionKernel({
      files: { 'it.mjs': module },
      tools: Object.fromEntries(['pid', 'fails'].map((name) => [name, { code: `./it.mjs#${name}`, worker: 'process', native: true }])),
    });
    const first = await kernel.execute('pid');
    expect(await kernel.execute('pid')).to.equal(first);
    await rejection(kernel.execute('fails'), 'EXECUTION_FAILED');
    expect(await kernel.execute('pid')).not.to.equal(first);
  });

  it('is refused in a thread, when the tool is loaded', async () => {
    const { kernel } = await opened({ ...inChild, worker: true, native: true });
    expect(kernel.registry.problems.map(({ message }) => message).join()).to.include('needs "worker: process" in place of true');
  });
});
