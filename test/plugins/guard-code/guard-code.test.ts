import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { Kernel } from '../../../kernel/index.ts';
import { executorCommand } from '../../../plugins/executor-command/index.ts';
import { executorFunction } from '../../../plugins/executor-function/index.ts';
import { guardCode } from '../../../plugins/guard-code/index.ts';
import { CodeLedger } from '../../../plugins/shared/pinned-code/code-ledger.ts';
import { toolFiles } from '../../../plugins/tool-files/index.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { rejection } from '../../support/rejection.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { bareKernel } from '../../support/test-kernel.ts';

const held = (value: string): string => `export const held = "${value}";\n`;

interface Project {
  readonly kernel: Kernel;
  readonly lib: string;
  written(): readonly string[];
}

/** A tool, and a program that writes what the tool imports, which no parameter says. */
async function project(): Promise<Project> {
  const define = (name: string, execution: object): string => JSON.stringify({ name, description: `The tool ${name}.`, execution });
  const folder = await temporaryFolder({
    'up.mjs': held('good'),
    'it.mjs': 'import { held } from "./up.mjs"; export default () => held',
    'new.mjs': held('new'),
    'it.yaml': define('it', { type: 'function', code: './it.mjs' }),
    'copy.yaml': define('copy', { type: 'command', command: 'cp', args: ['new.mjs', 'up.mjs'] }),
    'look.yaml': define('look', { type: 'command', command: 'true' }),
  });
  const plugins = [executorFunction(), executorCommand(), toolFiles({ toolPaths: [folder] }), guardCode()];
  const kernel = await bareKernel({ plugins, cwd: folder, logger: memoryLogger() });
  const ledger = new CodeLedger(folder);
  return { kernel, lib: path.join(folder, 'up.mjs'), written: () => ledger.unaccepted().map(({ file }) => file) };
}

describe('guard-code', () => {
  it('remembers what a program wrote in a call of a model', async () => {
    const { kernel, lib, written } = await project();
    await kernel.execute('copy', {}, { origin: 'model' });
    expect(written()).to.deep.equal([lib]);
    const error = await rejection(kernel.execute('it', {}, { origin: 'model' }), 'APPROVAL_REQUIRED');
    expect(error.message).to.include('up.mjs').and.include('toolkit tools accept it');
    expect(error.details['files']).to.deep.equal([lib]);
  });

  it('does not take for that what host code or the operator wrote', async () => {
    const { kernel, lib, written } = await project();
    await kernel.execute('look', {}, { origin: 'model' });
    await kernel.execute('copy');
    await writeFile(lib, held('edited'));
    await kernel.execute('look', {}, { origin: 'model' });
    expect(written()).to.deep.equal([]);
  });

  it('keeps withheld what a model wrote when the operator reloads, and takes what the operator wrote', async () => {
    const { kernel, lib } = await project();
    await kernel.execute('copy', {}, { origin: 'model' });
    await kernel.reload({ code: true });
    await rejection(kernel.execute('it', {}, { origin: 'model' }), 'APPROVAL_REQUIRED');
    expect(await kernel.execute('it')).to.equal('new');
    await writeFile(lib, held('edited'));
    await kernel.reload({ code: true });
    expect(await kernel.execute('it', {}, { origin: 'model' })).to.equal('edited');
  });

  it('lets host code call what is withheld from models', async () => {
    const { kernel, lib } = await project();
    await writeFile(lib, held('other'));
    await rejection(kernel.execute('it', {}, { origin: 'model' }), 'APPROVAL_REQUIRED');
    expect(await kernel.execute('it')).to.equal('other');
  });

  it('refuses a handler that is loaded when what it imports has changed since', async () => {
    const { kernel, lib } = await project();
    expect(await kernel.execute('it', {}, { origin: 'model' })).to.equal('good');
    await writeFile(lib, held('other'));
    await rejection(kernel.execute('it', {}, { origin: 'model' }), 'APPROVAL_REQUIRED');
  });
});
