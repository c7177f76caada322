import { execFileSync } from 'node:child_process';
import { chmod, chown, mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import sinon from 'sinon';
import type { JsonObject } from '../../../../kernel/index.ts';
import { Unreadable } from '../../../../plugins/shared/walks/unreadable.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { asNobody } from './as-nobody.ts';
import { sharedToolkit } from './shared-toolkit.ts';

const nobody = 65_534;

/** A working tree of an ordinary account, in which a file and a folder are closed to it. */
async function halfClosed(): Promise<string> {
  const folder = await temporaryFolder({
    'open.txt': 'needle',
    'sub/closed.txt': 'needle',
    'closed/in.txt': 'needle',
    'closed/x': 'needle',
  });
  execFileSync('git', ['init', '--quiet', folder]);
  execFileSync('git', ['-C', folder, 'add', 'open.txt', 'sub', 'closed/in.txt']);
  if (process.geteuid?.() === 0) {
    for (const name of await readdir(folder, { recursive: true })) await chown(path.join(folder, name), nobody, nobody);
    await chown(folder, nobody, nobody);
  }
  await chmod(path.join(folder, 'sub/closed.txt'), 0);
  await chmod(path.join(folder, 'closed'), 0);
  return folder;
}

/** Every tool that goes on where it meets what it cannot read. */
const rows: readonly { readonly tool: string; readonly parameters: JsonObject; readonly paths: readonly string[] }[] = [
  { tool: 'fs_find', parameters: { pattern: '*' }, paths: ['closed'] },
  { tool: 'fs_find', parameters: { pattern: 'i*/' }, paths: ['closed'] },
  { tool: 'fs_tree', parameters: {}, paths: ['closed'] },
  { tool: 'fs_disk_usage', parameters: {}, paths: ['closed'] },
  { tool: 'fs_search', parameters: { pattern: 'needle' }, paths: ['closed', 'sub/closed.txt'] },
  { tool: 'fs_replace_in_files', parameters: { pattern: 'needle', replacement: 'x', glob: '*' }, paths: ['closed', 'sub/closed.txt'] },
  { tool: 'git_grep', parameters: { pattern: 'needle' }, paths: ['closed/in.txt', 'sub/closed.txt'] },
  { tool: 'git_status', parameters: {}, paths: ['closed', 'closed/in.txt'] },
];

describe('a walk through a tree of which something cannot be read', () => {
  const shared = sharedToolkit();
  afterEach(() => sinon.restore());

  const walk = (tool: string, folder: string, parameters: JsonObject): Promise<JsonObject> =>
    shared.toolkit.execute(tool, { ...parameters, [tool.startsWith('git_') ? 'repository' : 'path']: folder }) as Promise<JsonObject>;

  for (const { tool, parameters, paths } of rows) {
    it(`says so in the result of ${tool} with ${JSON.stringify(parameters)}, and of a whole tree nothing`, async () => {
      const folder = await halfClosed();
      const whole = await temporaryFolder({ 'open.txt': 'needle' });
      execFileSync('git', ['init', '--quiet', whole]);
      expect(await walk(tool, whole, parameters)).not.to.have.property('unreadable');
      // Where git of that account looks for its settings.
      sinon.stub(process.env, 'HOME').value(folder);
      const output = await asNobody(() => walk(tool, folder, parameters));
      // So that an ordinary account can remove it.
      await chmod(path.join(folder, 'closed'), 0o755);
      expect(output).to.deep.include({ unreadable: { count: paths.length, paths } });
      expect(JSON.stringify(output['unreadable'])).not.to.include(folder);
    });
  }

  it('says so in the result of fs_list_directory, whose entries stay without size and time', async () => {
    const folder = await temporaryFolder({ 'half/a.txt': '1' });
    await chmod(folder, 0o755);
    await chmod(path.join(folder, 'half'), 0o744);
    await walk('fs_list_directory', folder, {});
    const output = await asNobody(() => walk('fs_list_directory', path.join(folder, 'half'), {}));
    await chmod(path.join(folder, 'half'), 0o755);
    expect(output).to.deep.equal({
      entries: [{ name: 'a.txt', type: 'file' }],
      total: 1,
      truncated: false,
      unreadable: { count: 1, paths: ['a.txt'] },
    });
  });

  it('names a folder whose name is not UTF-8, which no path leads to', async () => {
    const folder = await temporaryFolder({ 'a.txt': 'needle' });
    await mkdir(Buffer.concat([Buffer.from(`${folder}/b`), Buffer.from([0xff])]));
    for (const tool of ['fs_tree', 'fs_disk_usage'])
      expect(await walk(tool, folder, {}), tool).to.deep.include({ unreadable: { count: 1, paths: ['b\uFFFD'] } });
    expect(await walk('fs_search', folder, { pattern: 'needle' })).to.deep.include({ unreadable: { count: 1, paths: ['b\uFFFD'] } });
  });

  it('counts all, names the first twenty in order, and passes over what is gone', () => {
    const unreadable = new Unreadable('/top');
    const closed = Object.assign(new Error('no'), { code: 'EACCES' });
    for (let index = 30; index > 0; index--) unreadable.add(`/top/d${String(index).padStart(5, '0')}`, closed);
    unreadable.add('/top/d00001', closed);
    unreadable.add('/top/gone', Object.assign(new Error('gone'), { code: 'ENOENT' }));
    const { count, paths } = unreadable.result.unreadable ?? { count: 0, paths: [] };
    expect([count, paths.length, paths[0], paths.at(-1)]).to.deep.equal([30, 20, 'd00001', 'd00020']);
    expect(new Unreadable('/top').result).to.deep.equal({});
  });
});
