import { rm } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { DurableCall, DurableOptions } from '../../../kernel/index.ts';
import { matchesSnapshot } from '../../support/snapshot.ts';
import { terminal } from '../../support/terminal.ts';
import { until } from '../../support/until.ts';
import { start } from '../program.ts';
import { type CallsProject, callsFolder, callsProject, withEngine, withStore } from './calls-project.ts';

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

async function toolkit(cwd: string, ...args: readonly string[]): Promise<Ended> {
  const { exit, stdout, stderr } = start(args, { cwd });
  const { code } = await exit;
  return { code, stdout: stdout(), stderr: stderr() };
}

const calls = ({ cwd }: Pick<CallsProject, 'cwd'>, ...args: readonly string[]): Promise<Ended> => toolkit(cwd, 'calls', ...args);

const submit = ({ toolkit: { calls: durable } }: CallsProject, tool: string, id: string, more: Partial<DurableOptions> = {}) =>
  durable.submit(tool, { item: `for ${id}` }, { durable: true, id, ...more });

const once = async ({ toolkit: { calls: durable } }: CallsProject, id: string, status: DurableCall['status']): Promise<DurableCall> =>
  until(async () => {
    const call = await (await durable.get(id)).call();
    return call.status === status ? call : undefined;
  });

/** A call that asks a person. */
async function asked(project: CallsProject, id = 'order-1'): Promise<string> {
  await submit(project, 'shop_order', id, { origin: 'model' });
  const stop = await project.toolkit.calls.work({ concurrency: 1 });
  const { question } = await once(project, id, 'asked');
  await stop();
  return question?.digest ?? '';
}

/** One whose outcome is unknown: its tool failed after it may have had its effect. */
async function unknown(project: CallsProject): Promise<void> {
  await submit(project, 'shop_pay', 'pay-1');
  await project.toolkit.calls.work({ concurrency: 1 });
  await once(project, 'pay-1', 'unknown');
}

/** Replaces the parts of a screen that differ from run to run. */
function steady(screen: string): string {
  return screen
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, '2026-01-31 12:00:00')
    .replaceAll(/[\da-f]{64}/g, 'd'.repeat(64))
    .replaceAll(/\b[\da-z]{10}-[\da-f]{10}\b/g, 'approval-1');
}

describe('toolkit calls list', () => {
  it('shows the newest first, and those that are asked for', async () => {
    const project = await callsProject();
    await submit(project, 'shop_find', 'find-1');
    await submit(project, 'shop_find', 'find-2', { caller: 'ada' });
    await submit(project, 'shop_pay', 'pay-1');
    await project.toolkit.calls.cancel('pay-1');
    const cases: readonly (readonly [readonly string[], readonly string[]])[] = [
      [[], ['find-1', 'find-2', 'pay-1']],
      [['--caller', 'ada'], ['find-2']],
      [
        ['--tool', 'shop_find'],
        ['find-1', 'find-2'],
      ],
      [['--status', 'waiting', '--caller', 'default'], ['find-1']],
      [['--status', 'cancelled'], ['pay-1']],
    ];
    for (const [filter, ids] of cases) {
      const { code, stdout } = await calls(project, 'list', '--json', ...filter);
      expect(code).to.equal(0);
      const found = JSON.parse(stdout) as { calls: { id: string; created_at: string }[]; next: unknown };
      expect(found.calls.map(({ id }) => id).sort(), filter.join(' ')).to.deep.equal(ids);
      expect(found.next).to.equal(null);
      const times = found.calls.map(({ created_at }) => created_at);
      expect(times).to.deep.equal([...times].sort().reverse());
    }
  });

  it('goes on behind an earlier page', async () => {
    const project = await callsProject();
    for (const id of ['a', 'b', 'c']) await submit(project, 'shop_find', id);
    const found: string[] = [];
    for (let after: readonly string[] = []; ; ) {
      const { stdout } = await calls(project, 'list', '--limit', '1', '--json', ...after);
      const page = JSON.parse(stdout) as { calls: { id: string }[]; next: string | null };
      found.push(...page.calls.map(({ id }) => id));
      if (page.next === null) break;
      after = ['--after', page.next];
    }
    expect(found.sort()).to.deep.equal(['a', 'b', 'c']);
    expect((await calls(project, 'list', '--limit', '1')).stderr).to.match(/^There may be more: --after \S+\n$/);
  });

  it('is a table in a terminal, and hides nothing', async () => {
    const project = await callsProject();
    await unknown(project);
    await asked(project);
    const { ended, screen } = terminal(['calls', 'list'], { cwd: project.cwd, columns: 110, env: stateEnv() });
    expect(await ended).to.equal(0);
    await matchesSnapshot('calls-list', steady(screen()));
  });

  it('says why a call may not go on: its tool is not there, or its process stands still', async () => {
    const project = await callsProject();
    await submit(project, 'shop_wait', 'wait-1');
    await submit(project, 'shop_pay', 'pay-1');
    await submit(project, 'shop_find', 'find-1');
    const worker = start(['worker', '--tools', 'shop_wait'], { cwd: project.cwd });
    await once(project, 'wait-1', 'running');
    await rm(path.join(project.cwd, 'tools/shop/pay.yaml'));
    worker.child.kill('SIGSTOP');
    const { stdout } = await calls(project, 'list', '--json');
    const found = JSON.parse(stdout) as { calls: { id: string; hindrance: unknown }[]; later_version: number };
    expect(Object.fromEntries(found.calls.map(({ id, hindrance }) => [id, hindrance]))).to.deep.equal({
      'wait-1': 'stalled process',
      'pay-1': 'unknown tool',
      'find-1': null,
    });
    expect(found.later_version).to.equal(0);
    const { stdout: doctor } = await toolkit(project.cwd, 'doctor');
    expect(doctor).to.include('1 durable call (wait-1) of a process that stands still').and.include('(pay-1) of tools');
    worker.child.kill('SIGCONT');
  });

  it('refuses a status that there is not', async () => {
    const { code, stderr } = await calls({ cwd: await callsFolder() }, 'list', '--status', 'done');
    expect(code).to.equal(2);
    expect(stderr).to.include('expected waiting, running, asked, completed, failed, cancelled or unknown, received "done"');
  });
});

describe('toolkit calls show', () => {
  it('gives the result', async () => {
    const project = await callsProject();
    await submit(project, 'shop_find', 'find-1', { caller: 'ada' });
    expect(JSON.parse((await calls(project, 'show', 'find-1', '--caller', 'ada', '--json')).stdout)).to.include({
      status: 'waiting',
      result: null,
    });
    await project.toolkit.calls.work({ concurrency: 1 });
    await (await project.toolkit.calls.get('find-1', { caller: 'ada' })).result();
    const { stdout } = await calls(project, 'show', 'find-1', '--caller', 'ada', '--json');
    const { result, ...call } = JSON.parse(stdout) as Readonly<Record<string, unknown>>;
    expect(result).to.deep.equal({ item: 'for find-1', pid: process.pid });
    expect(call).to.include({
      id: 'find-1',
      caller: 'ada',
      tool: 'shop_find',
      status: 'completed',
      attempts: 1,
      run_at: null,
      error: null,
    });
    expect(call['ended_at']).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('says what is asked, and of whom there is nothing', async () => {
    const project = await callsProject();
    const digest = await asked(project);
    const { question } = JSON.parse((await calls(project, 'show', 'order-1', '--json')).stdout) as {
      question: { digest: string; request: object };
    };
    expect(question.digest).to.equal(digest);
    expect(question.request).to.deep.include({ tool: 'shop_order', parameters: { item: 'for order-1' } });
    const { ended, screen } = terminal(['calls', 'show', 'order-1'], { cwd: project.cwd, env: stateEnv() });
    expect(await ended).to.equal(0);
    await matchesSnapshot('calls-show-asked', steady(screen()));
    const stranger = await calls(project, 'show', 'order-1', '--caller', 'ada');
    expect(stranger.code).to.equal(1);
    expect(stranger.stderr).to.include('NOT_FOUND: The caller "ada" has no durable call "order-1"');
  });

  it('says why a call has no result, and hides nothing', async () => {
    const project = await callsProject();
    await unknown(project);
    const { ended, screen } = terminal(['calls', 'show', 'pay-1'], { cwd: project.cwd, env: stateEnv() });
    expect(await ended).to.equal(0);
    await matchesSnapshot('calls-show-unknown', steady(screen()));
  });
});

describe('toolkit calls cancel', () => {
  it('ends a call that waits, and says what had ended', async () => {
    const project = await callsProject();
    await submit(project, 'shop_find', 'find-1');
    expect((await calls(project, 'cancel', 'find-1')).stdout).to.equal('The call "find-1" of "shop_find" is cancelled.\n');
    expect((await calls(project, 'cancel', 'find-1')).stdout).to.include('had ended before: it is cancelled');
  });

  it('has the process end a call that runs it', async () => {
    const project = await callsProject();
    await submit(project, 'shop_wait', 'wait-1');
    await project.toolkit.calls.work({ concurrency: 1 });
    await once(project, 'wait-1', 'running');
    expect((await calls(project, 'cancel', 'wait-1')).stdout).to.include('its process was told to end it');
    await once(project, 'wait-1', 'cancelled');
  });
});

describe('toolkit calls retry', () => {
  it('has what is safe made again', async () => {
    const project = await callsProject();
    await submit(project, 'shop_find', 'find-1');
    await project.toolkit.calls.cancel('find-1');
    const { code, stdout } = await calls(project, 'retry', 'find-1');
    expect({ code, stdout }).to.deep.equal({
      code: 0,
      stdout: 'The call "find-1" of "shop_find" waits to run again, unless it has had its effect, or may have had it.\n',
    });
    await project.toolkit.calls.work({ concurrency: 1 });
    await once(project, 'find-1', 'completed');
    expect((await calls(project, 'retry', 'find-1')).code).to.equal(2);
  });

  it('repeats an effect only when it is told to', async () => {
    const project = await callsProject();
    await unknown(project);
    const again = await calls(project, 'retry', 'pay-1');
    expect(again.code).to.equal(0);
    expect(again.stdout).to.include('unless it has had its effect, or may have had it');
    expect((await once(project, 'pay-1', 'unknown')).attempts).to.equal(2);
    const { code, stdout } = await calls(project, 'retry', 'pay-1', '--repeat-effect');
    expect(code).to.equal(0);
    expect(stdout).to.include('whatever effect it has had');
    expect((await once(project, 'pay-1', 'unknown')).attempts).to.equal(3);
  });
});

describe('toolkit calls approve and refuse', () => {
  it('asks at a terminal, and the call is made with a yes', async () => {
    const project = await callsProject();
    await asked(project);
    const env = stateEnv();
    const { shows, type, ended, screen } = terminal(['calls', 'approve', 'order-1', '--by', 'grace'], { cwd: project.cwd, env });
    await shows('● No');
    type('y');
    expect(await ended).to.equal(0);
    await matchesSnapshot('calls-approve', steady(screen()));
    await project.toolkit.calls.work({ concurrency: 1 });
    expect((await once(project, 'order-1', 'completed')).decisions).to.have.length(1);
    expect((await calls(project, 'show', 'order-1')).stdout)
      .to.match(/Approved +by grace, /)
      .and.to.include('for order-1 is ordered');
  });

  it('decides nothing where the person does not', async () => {
    const project = await callsProject();
    await asked(project);
    const { shows, type, ended, screen } = terminal(['calls', 'approve', 'order-1'], { cwd: project.cwd, env: stateEnv() });
    await shows('● No');
    type('\r');
    expect(await ended).to.equal(1);
    expect(screen()).to.include('ABORTED: Nothing was decided');
    expect((await once(project, 'order-1', 'asked')).decisions).to.deep.equal([]);
  });

  it('takes nothing for an answer that was typed before the question was there', async () => {
    const project = await callsProject();
    await asked(project);
    const { shows, type, ended } = terminal(['calls', 'approve', 'order-1'], { cwd: project.cwd, env: stateEnv() });
    type('y');
    await shows('● No');
    type('\r');
    expect(await ended).to.equal(1);
    expect((await once(project, 'order-1', 'asked')).decisions).to.deep.equal([]);
  });

  it('takes the answer of a program for the question that was seen, and for no other', async () => {
    const project = await callsProject();
    const digest = await asked(project);
    const other = await calls(project, 'approve', 'order-1', '--digest', 'f'.repeat(64));
    expect(other.code).to.equal(2);
    expect(other.stderr).to.include('asks another question now').and.to.not.include('Run "shop_order"?');
    const { code, stdout } = await calls(project, 'approve', 'order-1', '--digest', digest, '--by', 'grace');
    expect({ code, stdout }).to.deep.equal({
      code: 0,
      stdout: 'The call "order-1" of "shop_order" is approved by grace: it waits to run.\n',
    });
    const second = await calls(project, 'refuse', 'order-1', '--digest', digest);
    expect(second.code).to.equal(2);
    expect(second.stderr).to.include('has no open question: grace has approved it, and it is waiting');
  });

  it('asks nobody where nobody is there', async () => {
    const project = await callsProject();
    await asked(project);
    const { code, stderr } = await calls(project, 'approve', 'order-1');
    expect(code).to.equal(2);
    expect(stderr).to.include('There is no terminal to ask at.').and.to.include('--digest').and.to.include('--yes');
  });

  it('has the call fail with a no', async () => {
    const project = await callsProject();
    await asked(project);
    const { code, stdout, stderr } = await calls(project, 'refuse', 'order-1', '--yes', '--by', 'grace');
    expect(code).to.equal(0);
    expect(stdout).to.equal('The call "order-1" of "shop_order" is refused by grace: it will not run.\n');
    expect(stderr).to.include('Run "shop_order"? Its risk is medium.').and.to.include('"item": "for order-1"');
    expect((await once(project, 'order-1', 'failed')).error?.code).to.equal('APPROVAL_DENIED');
  });

  it('says who decides by default: the account', async () => {
    const project = await callsProject();
    await asked(project);
    const { userInfo } = await import('node:os');
    expect((await calls(project, 'approve', 'order-1', '--yes')).stdout).to.include(`approved by ${userInfo().username}:`);
  });
});

describe('toolkit calls, where something is missing', () => {
  const commands = [['list'], ['show', 'a'], ['cancel', 'a'], ['retry', 'a'], ['approve', 'a'], ['refuse', 'a']];
  for (const words of commands)
    it(`says what to add to the configuration: ${words.join(' ')}`, async () => {
      const { code, stderr } = await calls({ cwd: await callsFolder(withStore) }, ...words);
      expect(code).to.equal(1);
      expect(stderr).to.include('No engine for durable calls is configured. List engineLocal() ("toolkit/plugins/engine-local")');
    });

  it('says that without a store calls are those of one process', async () => {
    const { code, stdout, stderr } = await calls({ cwd: await callsFolder(withEngine) }, 'list');
    expect({ code, stdout }).to.deep.equal({ code: 0, stdout: 'No calls.\n' });
    expect(stderr).to.include('This configuration has no store').and.to.include('storeLibsql()');
  });

  it('offers ids to the shell', async () => {
    const project = await callsProject();
    await submit(project, 'shop_find', 'find-1');
    await submit(project, 'shop_find', 'other', { caller: 'ada' });
    const { stdout } = await toolkit(project.cwd, 'complete', '--', 'calls', 'show', '');
    expect(stdout.split('\n').map((line) => line.split('\t')[0]))
      .to.include('find-1')
      .and.to.not.include('other');
  });
});

/** Returns variables that give terminals of tests the key of the other processes. */
function stateEnv(): Readonly<Record<string, string>> {
  return { XDG_STATE_HOME: process.env['XDG_STATE_HOME'] ?? '', NO_COLOR: '1' };
}
