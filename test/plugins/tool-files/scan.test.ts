import { execFile } from 'node:child_process';
import { chmod, mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect } from 'chai';
import sinon from 'sinon';
import { LongWork } from '../../../kernel/index.ts';
import { toolFiles } from '../../../plugins/tool-files/index.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { compiled } from '../../support/compiled.ts';
import { rejection } from '../../support/rejection.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { bareKernel } from '../../support/test-kernel.ts';
import { fileKernel, namesOf, problemsOf, toolYaml } from './tool-folder.ts';

const run = promisify(execFile);

const countingHost = `import { fileKernel, namesOf, problemsOf } from '${path.resolve('test/plugins/tool-files/tool-folder.ts')}';
const kernel = await fileKernel([process.argv[2]]);
process.stdout.write(JSON.stringify({ tools: namesOf(kernel).length, problems: problemsOf(kernel) }));
await kernel.close();
`;

describe('tool files', () => {
  it('are found at any depth, in both layouts, as .yaml and .yml', async () => {
    const folder = await temporaryFolder({
      'top.yaml': toolYaml('top'),
      'shop/list.yml': toolYaml('shop_list'),
      'shop/buy/definition.yaml': toolYaml('shop_buy'),
      'a/b/c/d/deep/definition.yml': toolYaml('deep'),
    });
    const kernel = await fileKernel([folder]);
    expect(namesOf(kernel)).to.deep.equal(['deep', 'shop_buy', 'shop_list', 'top']);
    expect(problemsOf(kernel)).to.deep.equal([]);
    expect(await kernel.execute('deep')).to.equal('deep\n');
    expect(kernel.registry.get('shop_buy').origin).to.include({
      plugin: 'tool-files',
      trust: 'operator',
      file: path.join(folder, 'shop/buy/definition.yaml'),
      directory: path.join(folder, 'shop/buy'),
    });
  });

  it('are read and linked in pieces, so that a reload of many lets others in between', async () => {
    const names = Array.from({ length: 60 }, (_, number) => `tool_${number}`);
    const folder = await temporaryFolder(Object.fromEntries(names.map((name) => [`${name}.yaml`, toolYaml(name)])));
    const kernel = await fileKernel([folder]);
    // What was done in this turn counts as well.
    await nextTurn();
    let now = 0;
    // Each look at the clock is a millisecond later: of 60 files, and of 60 tools, each ten are a piece.
    const clock = sinon.stub(performance, 'now').callsFake(() => now++);
    const rests = sinon.spy(LongWork.prototype, 'yieldToEventLoop');
    await kernel.reload();
    clock.restore();
    rests.restore();
    expect(rests.callCount).to.be.at.least(10);
  });

  it('are not looked for in hidden folders, node_modules and dist, nor in files of another kind', async () => {
    const folder = await temporaryFolder({
      '.hidden/a.yaml': toolYaml('a'),
      '.#lock.yaml': toolYaml('b'),
      'node_modules/x/c.yaml': toolYaml('c'),
      'deep/dist/d.yaml': toolYaml('d'),
      'notes.yaml.txt': toolYaml('e'),
      yaml: toolYaml('f'),
      'seen.yaml': toolYaml('seen'),
    });
    const kernel = await fileKernel([folder]);
    expect(namesOf(kernel)).to.deep.equal(['seen']);
    expect(problemsOf(kernel)).to.deep.equal([]);
  });

  it('are read in the same order every time: the first of a name is kept', async () => {
    const folder = await temporaryFolder({ 'b/x.yaml': toolYaml('same'), 'a/x.yaml': toolYaml('same'), 'c.yaml': toolYaml('same') });
    for (let round = 0; round < 5; round++) {
      const kernel = await fileKernel([folder]);
      expect(kernel.registry.get('same').origin.file).to.equal(path.join(folder, 'a/x.yaml'));
    }
  });

  it('may be many more than the system lets this process open at the same time', async () => {
    const files = Object.fromEntries(Array.from({ length: 700 }, (_, n) => [`${n % 7}/tool_${n}.yaml`, toolYaml(`tool_${n}`)]));
    const folder = await temporaryFolder({ ...files, 'host.mts': countingHost });
    const host = await compiled(path.join(folder, 'host.mts'));
    const { stdout } = await run('bash', ['-c', 'ulimit -n 200; exec "$0" "$1" "$2"', process.execPath, host, folder]);
    expect(JSON.parse(stdout)).to.deep.equal({ tools: 700, problems: [] });
  });

  it('may be linked, as files and as folders', async () => {
    const elsewhere = await temporaryFolder({ 'shop/buy.yaml': toolYaml('shop_buy'), 'single.yaml': toolYaml('single') });
    const folder = await temporaryFolder();
    await symlink(path.join(elsewhere, 'shop'), path.join(folder, 'shop'));
    await symlink(path.join(elsewhere, 'single.yaml'), path.join(folder, 'single.yaml'));
    const kernel = await fileKernel([folder]);
    expect(namesOf(kernel)).to.deep.equal(['shop_buy', 'single']);
    expect(problemsOf(kernel)).to.deep.equal([]);
  });

  it('are read once through links that go round', async () => {
    const folder = await temporaryFolder({ 'a/x.yaml': toolYaml('x') });
    await symlink(folder, path.join(folder, 'a/again'));
    await symlink(path.join(folder, 'a'), path.join(folder, 'b'));
    const kernel = await fileKernel([folder]);
    expect(namesOf(kernel)).to.deep.equal(['x']);
    expect(problemsOf(kernel)).to.deep.equal([]);
  });

  it('of paths that overlap are read once', async () => {
    const folder = await temporaryFolder({ 'shop/x.yaml': toolYaml('x'), 'y.yaml': toolYaml('y') });
    const kernel = await fileKernel([folder, path.join(folder, 'shop'), path.join(folder, 'shop/x.yaml')]);
    expect(namesOf(kernel)).to.deep.equal(['x', 'y']);
    expect(problemsOf(kernel)).to.deep.equal([]);
  });

  it('are logged one by one at level debug', async () => {
    const logger = memoryLogger();
    const folder = await temporaryFolder({ 'shop.yaml': 'provider: { name: shop }', 'x.yaml': toolYaml('x'), 'other.yaml': 'a: 1' });
    await fileKernel([folder], undefined, logger);
    const seen = logger.records.filter(({ message }) => message === 'definition file').map(({ level, meta }) => [level, meta]);
    expect(seen).to.deep.equal([
      ['debug', { file: path.join(folder, 'other.yaml'), kind: 'other' }],
      ['debug', { file: path.join(folder, 'shop.yaml'), kind: 'provider' }],
      ['debug', { file: path.join(folder, 'x.yaml'), kind: 'tool' }],
    ]);
  });
});

describe('a tool path', () => {
  it('may be one file', async () => {
    const folder = await temporaryFolder({ 'a.yaml': toolYaml('a'), 'b.yaml': toolYaml('b') });
    const kernel = await fileKernel([path.join(folder, 'b.yaml')]);
    expect(namesOf(kernel)).to.deep.equal(['b']);
  });

  it('starts at the working directory of the kernel', async () => {
    const folder = await temporaryFolder({ 'tools/a.yaml': toolYaml('a') });
    expect(namesOf(await fileKernel(['./tools'], folder))).to.deep.equal(['a']);
  });

  it('that does not exist is a problem, and the others are read', async () => {
    const folder = await temporaryFolder({ 'tools/a.yaml': toolYaml('a') });
    const kernel = await fileKernel(['./tols', './tools'], folder);
    expect(namesOf(kernel)).to.deep.equal(['a']);
    const [problem, ...rest] = kernel.registry.problems;
    expect(rest).to.deep.equal([]);
    expect(problem).to.include({ severity: 'error', code: 'CONFIG_INVALID', plugin: 'tool-files', file: path.join(folder, 'tols') });
    expect(problem?.message).to.include('the tool path "./tols" cannot be read').and.include('Correct toolPaths');
  });

  it('must be named', async () => {
    expect((await rejection(fileKernel(['']), 'PLUGIN_INVALID')).message).to.include('toolPaths[0]');
  });
});

describe('what cannot be read', () => {
  it('is a problem of that file, and the others are read', async () => {
    const folder = await temporaryFolder({ 'ok.yaml': toolYaml('ok') });
    await symlink(path.join(folder, 'nowhere'), path.join(folder, 'gone.yaml'));
    await symlink('round.yaml', path.join(folder, 'round.yaml'));
    await mkdir(path.join(folder, 'folder.yaml'));
    const kernel = await fileKernel([folder]);
    expect(namesOf(kernel)).to.deep.equal(['ok']);
    const [gone, round, ...rest] = problemsOf(kernel).sort();
    expect(gone).to.match(/^error .*gone\.yaml cannot be read: ENOENT/);
    expect(round).to.match(/^error .*round\.yaml cannot be read: ELOOP/);
    expect(rest).to.deep.equal([]);
  });

  it('is a problem of that folder, and the others are read', async () => {
    const folder = await temporaryFolder({ 'ok.yaml': toolYaml('ok'), 'locked/a.yaml': toolYaml('a'), 'z/b.yaml': toolYaml('b') });
    await chmod(folder, 0o755);
    await chmod(path.join(folder, 'locked'), 0o000);
    const kernel = await unprivileged(() => fileKernel([folder]));
    await chmod(path.join(folder, 'locked'), 0o755);
    expect(namesOf(kernel)).to.deep.equal(['b', 'ok']);
    const problems = problemsOf(kernel);
    expect(problems).to.have.length(1);
    expect(problems[0]).to.include(`error ${path.join(folder, 'locked')} cannot be read: EACCES`);
  });
});

/** Permissions do not bind the superuser: the work is done as nobody. */
async function unprivileged<T>(work: () => Promise<T>): Promise<T> {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(65534);
  try {
    return await work();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

describe('the time limit of discovery', () => {
  it('does not count the reading of tool files, which waits for nothing', async () => {
    const files = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`tool_${n}.yaml`, toolYaml(`tool_${n}`)]));
    const folder = await temporaryFolder(files);
    const kernel = await bareKernel({ plugins: [toolFiles({ toolPaths: [folder] })], timeoutsMs: { discover: 1 } });
    expect(new Set(kernel.registry.problems.map(({ code }) => code))).to.deep.equal(new Set(['EXECUTOR_NOT_FOUND']));
    expect(kernel.registry.problems).to.have.lengthOf(300);
  });
});
