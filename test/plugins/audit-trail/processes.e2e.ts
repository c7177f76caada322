import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { afterEach, before } from 'mocha';
import { verifyTrail } from '../../../plugins/audit-trail/verify-trail.ts';
import { compiled } from '../../support/compiled.ts';
import { rejection } from '../../support/rejection.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { until } from '../../support/until.ts';
import { audited } from './audited.ts';

let caller: string;
const children: ChildProcess[] = [];

before(async () => {
  caller = await compiled(fileURLToPath(new URL('caller.ts', import.meta.url)));
});

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** Starts the caller; with a limit on the size of every file it writes, in blocks of 1024 bytes. */
function start(args: readonly string[], limit?: number) {
  const command = [caller, ...args];
  const [program, ...rest] =
    limit === undefined
      ? [process.execPath, ...command]
      : ['bash', '-c', `ulimit -f ${limit}; exec "$0" "$@"`, process.execPath, ...command];
  const child = spawn(program ?? '', rest, {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  return child;
}

/** Resolves when the file has that many bytes, or the process has ended. */
async function grown(file: string, bytes: number, child: ChildProcess): Promise<void> {
  await until(async () => child.exitCode !== null || (await stat(file).catch(() => ({ size: 0 }))).size >= bytes || undefined);
}

describe('an audit trail and processes', () => {
  for (const round of [1, 2]) {
    it(`verifies up to the last whole line after kill -9 of a process in the middle of its calls, round ${round}`, async () => {
      const file = path.join(await temporaryFolder(), 'audit.jsonl');
      const child = start([file, '1000000', String(randomInt(1, 100))]);
      const size = randomInt(1, 500_000);
      await grown(file, size, child);
      child.kill('SIGKILL');
      const [code] = await once(child, 'exit');
      expect(code, 'the process was still running').to.equal(null);
      const report = await verifyTrail(file);
      expect(report.problems).to.deep.equal([]);
      const { records, notes } = report;
      expect(records).to.be.greaterThan(0);
      const { kernel } = await audited({ path: file });
      await kernel.execute('echo');
      const { problems, last } = await verifyTrail(file);
      // Where half a write was left, a record of its own says so.
      expect({ problems, seq: last?.seq }).to.deep.equal({ problems: [], seq: records + 1 + notes.length });
    });
  }

  it('has the beginning of a call whose process was killed, and "unfinished" names it', async () => {
    const file = path.join(await temporaryFolder(), 'audit.jsonl');
    const child = start([file, 'hold']);
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    const { kernel } = await audited({ path: file });
    await kernel.execute('echo');
    const { problems, unfinished, first } = await verifyTrail(file);
    expect(problems).to.deep.equal([]);
    const [{ callId, ...call } = expect.fail()] = unfinished;
    expect(call).to.deep.equal({ file, line: 1, time: first?.time, tool: 'hold', caller: 'ci' });
    expect(callId).to.match(/^[0-9a-f-]{36}$/);
    expect(unfinished).to.have.length(1);
  });

  it('has one process at a time as its writer, and takes over from one that was killed', async () => {
    const file = path.join(await temporaryFolder(), 'audit.jsonl');
    const child = start([file, '1000000', '1']);
    await grown(file, 1, child);
    const { kernel } = await audited({ path: file });
    const error = await rejection(kernel.execute('echo'), 'POLICY_DENIED');
    expect(error.message).to.include('another process writes it already');
    child.kill('SIGKILL');
    await once(child, 'exit');
    await kernel.execute('echo');
    expect((await verifyTrail(file)).problems).to.deep.equal([]);
  });

  it('refuses calls when the system lets the file grow no more', async () => {
    const file = path.join(await temporaryFolder(), 'audit.jsonl');
    const child = start([file, '1000', '1'], 64);
    const { ran, refused, refusal, close } = JSON.parse(await text(child.stdout));
    expect(ran + refused).to.equal(1000);
    expect(ran).to.be.within(50, 300);
    expect(refusal).to.include('EFBIG: file too large');
    expect(close).to.include('records were never written');
    expect((await stat(file)).size).to.equal(64 * 1024);
    const report = await verifyTrail(file);
    // The last call ran before anybody could know.
    expect(report.records).to.equal(ran - 1);
    expect(report.problems).to.deep.equal([]);
    expect(report.notes.map(({ message }) => message.slice(0, 17))).to.deep.equal(['it is half a line']);
  });
});
