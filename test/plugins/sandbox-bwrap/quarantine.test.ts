import { mkdir, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { ControlFiles } from '../../../kernel/index.ts';
import { ActiveRuns } from '../../../plugins/sandbox-bwrap/active-runs.ts';
import type { FoundFile } from '../../../plugins/sandbox-bwrap/file-tree.ts';
import { findNewControlFiles } from '../../../plugins/sandbox-bwrap/new-control-files.ts';
import { moveToQuarantine, prepareQuarantine } from '../../../plugins/sandbox-bwrap/quarantine.ts';
import { rejection } from '../../support/rejection.ts';
import { temporaryFolder } from '../../support/temporary.ts';

describe('the quarantine', () => {
  it('takes files and folders under the paths that they had', async () => {
    const root = await temporaryFolder({ 'a/.env': 'one', 'b/.git/hooks/x': 'two' });
    await prepareQuarantine(root);
    const moved = await moveToQuarantine(root, [path.join(root, 'a/.env'), path.join(root, 'b/.git')], 'now');
    expect(moved).to.deep.equal(['a/.env', 'b/.git']);
    expect(await readFile(path.join(root, '.toolkit/quarantine/now/a/.env'), 'utf8')).to.equal('one');
    expect(await readFile(path.join(root, '.toolkit/quarantine/now/b/.git/hooks/x'), 'utf8')).to.equal('two');
    expect(await readdir(path.join(root, 'b'))).to.deep.equal([]);
  });

  it('follows no folder that has become a link', async () => {
    const outside = await temporaryFolder({ '.env': 'of another' });
    const root = await temporaryFolder({ 'a/.env': 'one' });
    await prepareQuarantine(root);
    await rename(path.join(root, 'a'), path.join(root, 'b'));
    await symlink(outside, path.join(root, 'a'));
    expect(await moveToQuarantine(root, [path.join(root, 'a/.env')], 'now')).to.deep.equal([]);
    expect(await readFile(path.join(outside, '.env'), 'utf8')).to.equal('of another');
  });

  it('passes over what is gone', async () => {
    const root = await temporaryFolder();
    await prepareQuarantine(root);
    expect(await moveToQuarantine(root, [path.join(root, '.env'), path.join(root, 'gone/.env')], 'now')).to.deep.equal([]);
  });

  it('is not made where something else is in its place', async () => {
    const root = await temporaryFolder();
    await symlink('/tmp', path.join(root, '.toolkit'));
    expect((await rejection(prepareQuarantine(root), 'EXECUTION_FAILED')).message).to.include('.toolkit');
  });

  it('is there before a program starts, and stays', async () => {
    const root = await temporaryFolder();
    await prepareQuarantine(root);
    await mkdir(path.join(root, '.toolkit/quarantine/before'));
    await writeFile(path.join(root, '.toolkit/quarantine/before/x'), '');
    await prepareQuarantine(root);
    expect(await readdir(path.join(root, '.toolkit/quarantine'))).to.deep.equal(['before']);
  });
});

describe('new control files', () => {
  const rule = (pattern: string, read = true) => ({ pattern, read, what: 'a test', plugin: 'test' });
  const controlFiles = new ControlFiles([rule('.env', false), rule('.git'), rule('/r/trail.jsonl*'), rule('/r/store.db', false)]);
  const file = (place: string, kind: FoundFile['kind'] = 'control file'): FoundFile => ({
    kind,
    path: place,
    target: place,
    isFolder: false,
    isSecret: false,
  });
  const cases: readonly { readonly title: string; readonly before?: FoundFile[]; readonly after: FoundFile[]; readonly found: string[] }[] =
    [
      {
        title: 'are those that were not there',
        before: [file('/r/.env')],
        after: [file('/r/.env'), file('/r/a/.env')],
        found: ['/r/a/.env'],
      },
      { title: 'are named once, by the outermost', after: [file('/r/.git'), file('/r/.git/.env')], found: ['/r/.git'] },
      { title: 'are folders that cannot be looked into', after: [file('/r/closed', 'closed folder')], found: ['/r/closed'] },
      { title: 'are not sockets', after: [file('/r/x.sock', 'socket')], found: [] },
      { title: 'are not what the service makes itself', after: [file('/r/trail.jsonl.1'), file('/r/store.db')], found: [] },
    ];
  for (const { title, before = [], after, found } of cases)
    it(title, () => expect(findNewControlFiles(before, after, controlFiles)).to.deep.equal(found));
});

describe('runs at one time', () => {
  it('have the grants of all that they overlap, and not of those before and after', () => {
    const runs = new ActiveRuns();
    const before = runs.begin(['packages']);
    before.end();
    const first = runs.begin([]);
    const second = runs.begin(['git']);
    expect(second.end()).to.deep.equal(['git']);
    expect(first.end()).to.deep.equal(['git']);
    expect(runs.begin([]).end()).to.deep.equal([]);
  });
});
