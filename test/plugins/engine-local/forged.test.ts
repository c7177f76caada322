import { expect } from 'chai';
import { LocalEngine } from '../../../plugins/engine-local/local-engine.ts';
import { Cipher } from '../../../plugins/shared/keys/cipher.ts';
import { EncryptedStore } from '../../../plugins/shared/state/encrypted-store.ts';
import { ScriptedHost } from '../../../plugins/toolkit/testing/calls/scripted-host.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { afterEach } from '../../support/after-each.ts';
import { OpenTable } from '../../support/open-table.ts';
import { rejection } from '../../support/rejection.ts';
import { until } from '../../support/until.ts';

const cipherOf = (byte: number): Cipher => new Cipher(() => [new Uint8Array(32).fill(byte)]);
const name = (id: string) => ({ caller: 'ada', id });
const approvedPay = JSON.stringify({ tool: 'pay', status: 'waiting', runAt: 0, decisions: [{ digest: 'd1', approve: true }] });

/** Attacks on the row of a call that waits for a person, by someone who can write to the database and has no key. */
const attacks: Readonly<Record<string, (table: OpenTable, row: string, approvedRow: string) => Promise<unknown>>> = {
  'writes a record in plain text': (table, row) => table.set(row, Buffer.from(approvedPay)),
  'seals a record with another key': (table, row) => table.set(row, cipherOf(2).encrypt(approvedPay, row)),
  'puts the record of a call there that was approved': async (table, row, approvedRow) =>
    table.rows.set(row, (await table.rows.get(approvedRow)) ?? ''),
  'changes a byte of it': async (table, row) => {
    const bytes = Buffer.from((await table.get(row)) ?? []);
    const middle = bytes.length >> 1;
    bytes[middle] = (bytes[middle] ?? 0) ^ 1;
    await table.set(row, bytes);
  },
};

describe('a durable call in a database that others can write', () => {
  const engines: LocalEngine[] = [];
  afterEach(async () => {
    await Promise.all(engines.splice(0).map((engine) => engine.close()));
  });

  /** A call that waits for a person, and one that was approved and is made; `paid`: by ids. */
  async function waitingCall() {
    const table = new OpenTable();
    const paid: unknown[] = [];
    const host = new ScriptedHost(async ({ tool, parameters, client }) => {
      const question = { message: 'Pay?', request: { tool }, digest: 'd1' };
      if (tool === 'pay' && (await client?.approve?.(question))) paid.push(parameters?.['id']);
      return 'done';
    });
    const logger = memoryLogger();
    const state = new EncryptedStore(async () => table, cipherOf(1));
    const options = { retentionMs: 3_600_000, maxCalls: 1000, maxBytes: 1_000_000, maxAttempts: 5, concurrency: 0 };
    const engine = new LocalEngine({ host, state, logger, ...options });
    engines.push(engine);
    const submit = (id: string, tool: string) => engine.submit({ ...name(id), tool, parameters: { id }, origin: 'model' });
    const stop = await engine.work({ concurrency: 2 });
    const rows: string[] = [];
    for (const id of ['approved', 'waiting']) {
      await submit(id, 'pay');
      await until(async () => (await engine.get(name(id))).status === 'asked' || undefined);
      const all = (await table.rows.list('call/')).map(({ key }) => key);
      rows.push(...all.filter((key) => !rows.includes(key)));
    }
    const [approvedRow = '', row = ''] = rows;
    await stop();
    await engine.answer(name('approved'), { approve: true, by: 'grace', digest: 'd1' });
    return { table, paid, engine, logger, submit, row, approvedRow };
  }

  for (const [what, attack] of Object.entries(attacks))
    it(`is not made for somebody who ${what}`, async () => {
      const { table, paid, engine, submit, row, approvedRow } = await waitingCall();
      await attack(table, row, approvedRow);
      await engine.work({ concurrency: 2 });
      for (const asked of [engine.get(name('waiting')), engine.answer(name('waiting'), { approve: true, by: 'eve', digest: 'd1' })])
        await rejection(asked, 'STATE_UNAVAILABLE');
      await submit('later', 'look');
      expect((await engine.ended(name('later'))).status).to.equal('completed');
      expect((await engine.ended(name('approved'))).status).to.equal('completed');
      expect(paid).to.deep.equal(['approved']);
    });

  it('is not taken from a queue that somebody has put it into', async () => {
    const { table, paid, engine, logger, row } = await waitingCall();
    const [entry] = await table.rows.list('queue/');
    await table.rows.set(row.replace('call/', 'queue/000000000000001/'), entry?.value ?? '');
    await engine.work({ concurrency: 2 });
    await until(() => logger.records.some(({ message }) => message.includes('no durable calls are taken')) || undefined);
    expect((await engine.get(name('waiting'))).status).to.equal('asked');
    expect(paid).to.deep.equal([]);
  });
});
