import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { person } from '../../cli/commands/run/person.ts';
import { MemoryInbox, record } from './memory-inbox.ts';
import { account, runCommand } from './run-command.ts';

const idsIn = (lines: string): readonly string[] =>
  // No number: ids.
  lines.split('\n').flatMap((line) => (line === '' ? [] : [(JSON.parse(line) as { readonly id: string }).id]));

describe('toolkit approvals export', () => {
  const inbox = (): MemoryInbox =>
    new MemoryInbox(record('c-3', { caller: 'bob' }), record('b-2', { status: 'refused', tool: 'shop_pay' }), record('a-1'));

  it('writes a line for each record, newest first, beyond a page', async () => {
    const ids = Array.from({ length: 205 }, (_none, index) => `r-${index}`);
    const many = new MemoryInbox(...ids.map((id) => record(id, { caller: 'a\u009b\u202e\nb' })));
    const { stdout, stderr, code } = await runCommand(many.plugin, 'export');
    expect(idsIn(stdout)).to.deep.equal(ids);
    expect(stdout).to.not.include('\u009b').and.not.include('\u202e');
    expect(stderr).to.include('Exported 205 approvals, newest first.');
    expect(code).to.equal(0);
  });

  const filters: readonly (readonly [Readonly<Record<string, unknown>>, readonly string[]])[] = [
    [{ status: 'refused' }, ['b-2']],
    [{ caller: 'bob' }, ['c-3']],
    [{ tool: 'shop_order' }, ['c-3', 'a-1']],
  ];
  for (const [flags, ids] of filters)
    it(`takes a filter: ${JSON.stringify(flags)}`, async () => {
      expect(idsIn((await runCommand(inbox().plugin, 'export', [], flags)).stdout)).to.deep.equal(ids);
    });

  it('writes a new file that only its owner may read', async () => {
    const file = path.join(await temporaryFolder(), 'all.jsonl');
    const { stdout, stderr } = await runCommand(inbox().plugin, 'export', [], { file });
    expect(stdout).to.equal('');
    expect(stderr).to.include(`Exported 3 approvals to ${file}`);
    expect(idsIn(await readFile(file, 'utf8'))).to.deep.equal(['c-3', 'b-2', 'a-1']);
    expect((await stat(file)).mode & 0o777).to.equal(0o600);
  });

  it('overwrites nothing, and says what to do', async () => {
    const folder = await temporaryFolder({ 'all.jsonl': 'mine' });
    const file = path.join(folder, 'all.jsonl');
    const { message } = await rejection(runCommand(inbox().plugin, 'export', [], { file }), 'INVALID_PARAMETERS');
    expect(message).to.include('it exists already').and.include('Name a new file');
    expect(await readFile(file, 'utf8')).to.equal('mine');
    await rejection(runCommand(inbox().plugin, 'export', [], { file: path.join(folder, 'none/all.jsonl') }), 'INVALID_PARAMETERS');
  });

  it('leaves no half of a file behind', async () => {
    const folder = await temporaryFolder();
    const file = path.join(folder, 'all.jsonl');
    const failing = new MemoryInbox();
    failing.list = async () => {
      await writeFile(path.join(folder, 'listed'), '');
      throw new Error('the store is away');
    };
    const failure = await runCommand(failing.plugin, 'export', [], { file }).catch((error: unknown) => error);
    expect(String(failure)).to.include('the store is away');
    expect(await stat(path.join(folder, 'listed'))).to.not.equal(undefined);
    expect(await stat(file).catch((error: NodeJS.ErrnoException) => error.code)).to.equal('ENOENT');
  });

  it('ends with 1 when it is not complete', async () => {
    const records = inbox();
    records.unreadable = 1;
    const { stderr, code } = await runCommand(records.plugin, 'export');
    expect(stderr).to.include('1 approval cannot be read here').and.include('The export is not complete.');
    expect(code).to.equal(1);
  });
});

describe('toolkit approvals erase', () => {
  const inbox = (): MemoryInbox =>
    new MemoryInbox(record('c-3', { tenant: 'acme' }), record('b-2', { status: 'refused' }), record('a-1', { caller: 'bob' }));

  it('shows how many, asks, and erases those of one caller', async () => {
    const records = inbox();
    const ran = await runCommand(records.plugin, 'erase', [], { caller: 'ada' }, person(['Erase them?', 'y']));
    expect(ran.stderr).to.include('2 approvals of the caller "ada", of which 1 waits for a person.');
    expect(ran.stdout).to.equal('Erased 2 approvals of the caller "ada".\n');
    expect(records.erased).to.deep.equal([{ owner: { caller: 'ada' }, by: account }]);
    expect([...records.records.keys()]).to.deep.equal(['a-1']);
  });

  it('takes a tenant', async () => {
    const records = inbox();
    const { stdout } = await runCommand(records.plugin, 'erase', [], { caller: 'ada', tenant: 'acme', yes: true });
    expect(stdout).to.equal('Erased 1 approval of the caller "ada" of the tenant "acme".\n');
  });

  it('says that what it cannot read may stay', async () => {
    const records = inbox();
    records.unreadable = 1;
    const { stderr } = await runCommand(records.plugin, 'erase', [], { caller: 'ada', yes: true });
    expect(stderr).to.include('1 approval cannot be read here').and.include('Those of this caller among them stay.');
  });

  it('erases nothing without a yes, without a terminal, or without a caller', async () => {
    const records = inbox();
    await rejection(runCommand(records.plugin, 'erase', [], { caller: 'ada' }, person(['Erase them?', '\r'])), 'ABORTED');
    const { message } = await rejection(runCommand(records.plugin, 'erase', [], { caller: 'ada' }), 'INVALID_PARAMETERS');
    expect(message).to.include('Add --yes');
    await rejection(runCommand(records.plugin, 'erase', [], { yes: true }), 'INVALID_PARAMETERS');
    expect(records.erased).to.deep.equal([]);
  });
});
