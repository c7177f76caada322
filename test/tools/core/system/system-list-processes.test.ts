import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { Toolkit } from '../../../../plugins/toolkit/index.ts';
import { memoryLogger } from '../../../../plugins/toolkit/testing.ts';
import { coreGroup } from '../../../support/core-group.ts';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

const { coreToolkit } = coreGroup('system');

interface Listed {
  readonly processes: readonly { pid: number; parent: number; name: string; cpu: number; memory: number }[];
  readonly total: number;
}

const waiting = 'process.stdout.write("ready"); process.stdin.resume()';

describe('system_list_processes', () => {
  // One for all tests, because it keeps its worker thread.
  let toolkit: Toolkit;
  const children: ChildProcess[] = [];
  const path0 = process.env['PATH'];
  before(async () => {
    toolkit = await Toolkit.init({ logger: memoryLogger() });
  });
  after(() => toolkit.close());
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    process.env['PATH'] = path0;
  });

  async function start(program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<number> {
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, ...env } });
    children.push(child);
    await once(child.stdout as NodeJS.ReadableStream, 'data');
    return child.pid ?? 0;
  }

  const list = async (parameters: Readonly<Record<string, unknown>> = {}): Promise<Listed> =>
    (await toolkit.execute('system_list_processes', parameters)) as unknown as Listed;

  it('lists this process and one that it started, as ps does', async () => {
    const pid = await start(process.execPath, ['-e', waiting]);
    const { processes } = await list({ limit: 1000 });
    expect(processes.find((process) => process.pid === pid)).to.include({ parent: process.pid, name: path.basename(process.execPath) });
    const parent = Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(process.pid)], { encoding: 'utf8' }));
    expect(processes.find(({ pid: listed }) => listed === process.pid)).to.include({ parent });
  });

  it('shows no arguments and no environment', async () => {
    const pid = await start(process.execPath, ['-e', waiting, '--', '--password=hunter2-in-an-argument'], {
      API_TOKEN: 'hunter2-in-a-variable',
    });
    const answer = await list({ limit: 1000 });
    expect(answer.processes.map((process) => process.pid)).to.include(pid);
    expect(JSON.stringify(answer)).to.not.include('hunter2');
    for (const process of answer.processes) expect(process).to.have.all.keys('pid', 'parent', 'name', 'cpu', 'memory');
  });

  it('hands no secret of this service to the program that lists them', async () => {
    const folder = await temporaryFolder({
      ps: `#!/bin/sh\nenv > "$(dirname "$0")/seen"\nexec ${execFileSync('which', ['ps'], { encoding: 'utf8' })}`,
    });
    execFileSync('chmod', ['+x', path.join(folder, 'ps')]);
    process.env['PATH'] = `${folder}${path.delimiter}${path0}`;
    process.env['TEST_API_TOKEN'] = 'hunter2';
    try {
      await (await coreToolkit()).execute('system_list_processes', {});
    } finally {
      delete process.env['TEST_API_TOKEN'];
    }
    expect(await readFile(path.join(folder, 'seen'), 'utf8'))
      .to.include('PATH=')
      .and.not.include('TEST_API_TOKEN');
  });

  it('finds a program by a part of its name, in other letters too', async () => {
    const folder = await temporaryFolder();
    const program = path.join(folder, 'Größenwahn-😀 (a program with a long name)');
    await copyFile(process.execPath, program);
    execFileSync('chmod', ['+x', program]);
    const pid = await start(program, ['-e', waiting]);
    for (const filter of ['GRÖSSENWAHN'.replace('SS', 'ß'), 'größenwahn-😀', 'long name)']) {
      const { processes, total } = await list({ filter });
      expect(
        processes.map((process) => process.pid),
        filter,
      ).to.deep.equal([pid]);
      expect(total).to.equal(1);
    }
    expect(await list({ filter: 'größenwahn with another name' })).to.deep.equal({ processes: [], total: 0 });
  });

  for (const sort of ['memory', 'cpu'] as const) {
    it(`gives those that take the most ${sort} first`, async () => {
      const { processes, total } = await list({ sort, limit: 1000 });
      const figures = processes.map((process) => process[sort]);
      expect(figures).to.deep.equal([...figures].sort((a, b) => b - a));
      expect(total).to.equal(processes.length);
    });
  }

  it('gives at most as many as it is asked for, and says how many there are', async () => {
    await start(process.execPath, ['-e', waiting]);
    const { processes, total } = await list({ limit: 1 });
    expect(processes).to.have.length(1);
    expect(total).to.be.greaterThan(1);
  });

  it('says what to install where there is no ps', async () => {
    process.env['PATH'] = await temporaryFolder();
    const error = await rejection((await coreToolkit()).execute('system_list_processes', {}), 'DEPENDENCY_MISSING');
    expect(error.message).to.include('"ps" was not found').and.include('apt-get install procps');
  });

  it('says so when ps does not work', async () => {
    const folder = await temporaryFolder({ ps: '#!/bin/sh\nexit 3\n' });
    execFileSync('chmod', ['+x', path.join(folder, 'ps')]);
    process.env['PATH'] = `${folder}${path.delimiter}${path0}`;
    const error = await rejection((await coreToolkit()).execute('system_list_processes', {}), 'EXECUTION_FAILED');
    expect(error.message).to.include('The processes cannot be listed');
  });

  const refused = [
    { parameters: { sort: 'name' }, says: 'sort expected' },
    { parameters: { limit: 0 }, says: 'limit expected' },
    { parameters: { limit: 1001 }, says: 'limit expected' },
    { parameters: { filter: '' }, says: 'filter expected' },
    { parameters: { filter: 'x'.repeat(201) }, says: 'filter expected' },
  ];
  for (const { parameters, says } of refused) {
    it(`refuses ${JSON.stringify(parameters).slice(0, 40)}: ${says}`, async () => {
      expect((await rejection(list(parameters), 'INVALID_PARAMETERS')).message).to.include(says);
    });
  }
});
