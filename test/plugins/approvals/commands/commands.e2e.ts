import { stat } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { rejection } from '../../../support/rejection.ts';
import { matchesSnapshot } from '../../../support/snapshot.ts';
import { terminal } from '../../../support/terminal.ts';
import { until } from '../../../support/until.ts';
import { type ApprovalsProject, approvalsProject } from './project.ts';
import { account } from './run-command.ts';

interface Shown {
  readonly id: string;
  readonly status: string;
  readonly digest: string;
  readonly count: number;
  readonly parameters: object;
  readonly decisions: readonly { readonly by: object; readonly reason: string | null }[];
}

async function shown({ approvals }: ApprovalsProject, id: string): Promise<Shown> {
  const { stdout, stderr } = await approvals('show', id, '--json');
  expect(stdout, stderr).to.not.equal('');
  // No number: a small count.
  return JSON.parse(stdout) as Shown;
}

/** Variables that give terminals of tests the key of the other processes. */
const env = { XDG_STATE_HOME: process.env['XDG_STATE_HOME'] ?? '', NO_COLOR: '1' };

/** Replaces the parts of a screen that differ from run to run. */
function steady(screen: string, id: string): string {
  return screen
    .replaceAll(id, '0'.repeat(id.length))
    .replaceAll(account.name, 'grace')
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, '2026-01-31 12:00:00')
    .replaceAll(/[\da-f]{64}/g, 'd'.repeat(64));
}

describe('toolkit approvals, on a store that several processes share', () => {
  it('lists what waits, shows it whole, and approves it for one run', async () => {
    const project = await approvalsProject();
    const id = await project.ask('anvil');
    expect(await project.ask('anvil')).to.equal(id);
    const listed = await project.approvals('list');
    expect(listed.stdout, listed.stderr).to.include(id).and.include('shop_order').and.include('ada');
    expect(listed.stderr).to.equal('No more.\n');
    const { digest, parameters, count } = await shown(project, id);
    expect({ parameters, count }).to.deep.equal({ parameters: { item: 'anvil' }, count: 2 });
    const approved = await project.approvals('approve', id, '--digest', digest, '--reason', 'in stock');
    expect(approved.code, approved.stderr).to.equal(0);
    expect(approved.stdout).to.include(`is approved by ${account.name} (command line)`);
    expect((await shown(project, id)).decisions.map(({ by, reason }) => ({ by, reason }))).to.deep.equal([
      { by: account, reason: 'in stock' },
    ]);
    expect(await project.call('anvil')).to.equal('anvil is ordered');
    expect((await shown(project, id)).status).to.equal('used');
    expect(await project.ask('anvil')).to.not.equal(id);
  });

  it('runs a call whose client still waits, where it waits', async () => {
    const project = await approvalsProject();
    const elicit = (_question: unknown, signal?: AbortSignal): Promise<never> =>
      new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    const called = project.call('anvil', { client: { elicit } });
    const id = await until(async () => {
      const { stdout } = await project.approvals('list', '--json');
      // No number: an id.
      return (JSON.parse(stdout) as { readonly approvals: readonly { readonly id: string }[] }).approvals[0]?.id;
    });
    const { code, stderr } = await project.approvals('approve', id, '--yes');
    expect(code, stderr).to.equal(0);
    expect(await called).to.equal('anvil is ordered');
  });

  it('leaves an approved call to a process that stays, which runs it once', async () => {
    const project = await approvalsProject({ plugins: ['toolkit/plugins/engine-local'] });
    const ids: string[] = [];
    for (const item of ['anvil', 'bell', 'clock']) ids.push(await project.ask(item));
    const { code, stderr } = await project.approvals('approve', '--all', '--yes');
    expect(code, stderr).to.equal(0);
    const { calls } = project.kernel;
    const all = async (): Promise<readonly string[]> => (await calls.list()).calls.map(({ status, attempts }) => `${status} ${attempts}`);
    expect(await all()).to.deep.equal(ids.map(() => 'waiting 0'));
    const stop = await calls.work({ concurrency: 4 });
    await until(async () => ((await all()).every((call) => call === 'completed 1') ? true : undefined));
    await stop();
    for (const id of ids) expect((await shown(project, id)).status).to.equal('used');
  });

  it('tells a later decider who decided what', async () => {
    const project = await approvalsProject();
    const id = await project.ask('anvil');
    expect((await project.approvals('refuse', id, '--yes', '--reason', 'too heavy')).code).to.equal(0);
    const late = await project.approvals('approve', id, '--yes');
    expect(late.code).to.equal(2);
    expect(late.stderr).to.include(`${account.name} (command line) refused it`).and.include('too heavy');
    expect((await shown(project, id)).status).to.equal('refused');
  });

  it('gives one of several deciders at once the decision', async () => {
    const project = await approvalsProject();
    const id = await project.ask('anvil');
    const { digest } = await shown(project, id);
    const ends = await Promise.all(['approve', 'refuse', 'approve'].map((verb) => project.approvals(verb, id, '--digest', digest)));
    expect(ends.map(({ code }) => code).sort(), ends.map(({ stderr }) => stderr).join('\n')).to.deep.equal([0, 2, 2]);
    expect((await shown(project, id)).decisions).to.have.length(1);
  });

  it('refuses an answer to what was not asked', async () => {
    const project = await approvalsProject();
    const id = await project.ask('anvil');
    const { code, stderr } = await project.approvals('approve', id, '--digest', 'f'.repeat(64));
    expect(code).to.equal(2);
    expect(stderr).to.include('has another digest');
    await rejection(project.call('anvil'), 'APPROVAL_REQUIRED');
  });

  it('holds a refusal for later calls', async () => {
    const project = await approvalsProject();
    const id = await project.ask('anvil');
    await project.approvals('refuse', id, '--yes', '--hold', 'arguments');
    await rejection(project.call('anvil'), 'APPROVAL_DENIED');
    await project.ask('feather');
  });

  it('asks about changed arguments as a new record, which runs after its own approval', async () => {
    const project = await approvalsProject();
    const id = await project.ask('anvil');
    const changed = await project.approvals('approve', id, '--arguments', '{"item":"feather"}', '--yes');
    expect(changed.code, changed.stderr).to.equal(0);
    const [, next = '', digest = ''] = /approve (\S+) --digest (\S+)/.exec(changed.stdout) ?? [];
    expect(next).to.not.equal(id);
    expect((await shown(project, id)).status).to.equal('refused');
    expect((await project.approvals('approve', next, '--digest', digest)).code).to.equal(0);
    expect(await project.call('feather')).to.equal('feather is ordered');
    const told = await rejection(project.call('anvil'), 'APPROVAL_DENIED');
    expect(told.message).to.include(`asked again with other arguments, as ${next}`);
    await project.ask('anvil');
  });

  it('decides many, one decision each', async () => {
    const project = await approvalsProject();
    const ids = [await project.ask('anvil'), await project.ask('feather'), await project.ask('anvil', { caller: 'bob' })];
    const { code, stdout, stderr } = await project.approvals('approve', '--all', '--caller', 'ada', '--yes');
    expect(code, stderr).to.equal(0);
    expect(stderr).to.include('2 approvals wait:');
    expect(stdout).to.equal(`Approved 2 of 2 by ${account.name} (command line).\n`);
    const statuses = await Promise.all(ids.map(async (id) => (await shown(project, id)).status));
    expect(statuses).to.deep.equal(['approved', 'approved', 'waiting']);
  });

  it('asks at a terminal, and takes nothing for an answer that was typed before', async () => {
    const project = await approvalsProject();
    const id = await project.ask('anvil');
    const early = terminal(['approvals', 'approve', id], { cwd: project.cwd, env, columns: 100 });
    early.type('y');
    await early.shows('● No');
    early.type('\r');
    expect(await early.ended).to.equal(1);
    expect((await shown(project, id)).status).to.equal('waiting');
    const { shows, type, ended, screen } = terminal(['approvals', 'approve', id], { cwd: project.cwd, env, columns: 300 });
    await shows('● No');
    type('y');
    expect(await ended).to.equal(0);
    await matchesSnapshot('approvals-approve', steady(screen(), id), { [project.cwd]: '/project' });
    expect((await shown(project, id)).status).to.equal('approved');
  });

  it('exports everything, and erases one caller', async () => {
    const project = await approvalsProject();
    await project.ask('anvil');
    const other = await project.ask('anvil', { caller: 'bob' });
    const exported = await project.approvals('export', '--file', 'all.jsonl');
    expect(exported.stderr).to.include('Exported 2 approvals');
    expect((await stat(path.join(project.cwd, 'all.jsonl'))).mode & 0o777).to.equal(0o600);
    expect((await project.approvals('export', '--file', 'all.jsonl')).code).to.equal(2);
    const erased = await project.approvals('erase', '--caller', 'ada', '--yes');
    expect(erased.stdout, erased.stderr).to.equal('Erased 1 approval of the caller "ada".\n');
    const { stdout } = await project.approvals('export');
    expect(stdout.trimEnd().split('\n')).to.have.length(1);
    expect(stdout).to.include(other);
  });

  it('knows no approval that was never asked for', async () => {
    const { code, stderr } = await (await approvalsProject()).approvals('show', 'none-1');
    expect(code).to.equal(1);
    expect(stderr).to.include('NOT_FOUND: There is no approval "none-1"');
  });
});
