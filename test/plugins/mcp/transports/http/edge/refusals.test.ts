import path from 'node:path';
import { expect } from 'chai';
import sinon from 'sinon';
import type { Refusal } from '../../../../../../kernel/index.ts';
import { auditTrail } from '../../../../../../plugins/audit-trail/index.ts';
import { verifyTrail } from '../../../../../../plugins/audit-trail/verify-trail.ts';
import { RefusalReports } from '../../../../../../plugins/mcp/transports/http/edge/refusal-reports.ts';
import { memoryLogger } from '../../../../../../plugins/toolkit/testing.ts';
import { afterEach } from '../../../../../support/after-each.ts';
import { temporaryFolder } from '../../../../../support/temporary.ts';
import { recordsIn } from '../../../../audit-trail/audited.ts';
import { type Outgoing, send, wireServer } from '../../../support/wire.ts';

const big = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: { text: 'x'.repeat(4 * 1024 * 1024) } });

const refused: readonly { title: string; outgoing: Outgoing; status: number; reason: string; caller?: string }[] = [
  { title: 'without a token', outgoing: { headers: { authorization: undefined } }, status: 401, reason: 'token' },
  { title: 'for a foreign Host', outgoing: { headers: { host: 'evil.example' } }, status: 403, reason: 'host' },
  { title: 'from a foreign Origin', outgoing: { headers: { origin: 'https://evil.example' } }, status: 403, reason: 'origin' },
  { title: 'with too large a body', outgoing: { body: big }, status: 413, reason: 'size', caller: 'default' },
];

describe('a request that is refused before it is a call', () => {
  for (const { title, outgoing, status, reason, caller } of refused)
    it(`is a line of the log and a record of the trail, one for many: ${title}`, async () => {
      const file = path.join(await temporaryFolder(), 'audit.jsonl');
      const { port, kernel, records } = await wireServer({ more: [auditTrail({ path: file })] });
      for (let n = 0; n < 3; n++) expect((await send(port, outgoing)).status).to.equal(status);
      await kernel.close();
      const expected = { reason, status, address: '127.0.0.1', ...(caller === undefined ? {} : { caller }) };
      const trail = await recordsIn(file);
      expect(trail).to.have.length(2);
      for (const [index, count] of [1, 2].entries()) expect(trail[index]).to.include({ event: 'refused', ...expected, count });
      expect(await verifyTrail(file)).to.deep.include({ records: 2, problemCount: 0, unfinishedCount: 0 });
      const lines = records.filter(({ message }) => message === `refused before it was a call: ${reason}`);
      expect(lines.map(({ level, meta }) => ({ level, count: meta?.['count'] }))).to.deep.equal([
        { level: 'warn', count: 1 },
        { level: 'warn', count: 2 },
      ]);
    });

  it('is none for what is wrong with a request of a client that may come in', async () => {
    const { port, records } = await wireServer();
    await send(port, { body: 'no JSON' });
    await send(port, { path: '/nowhere' });
    await send(port, { headers: { accept: 'text/html' } });
    expect(records.filter(({ message }) => message.startsWith('refused'))).to.deep.equal([]);
  });
});

describe('reports of refusals', () => {
  let clock: sinon.SinonFakeTimers | undefined;

  afterEach(() => clock?.restore());

  function reporting(): { reports: RefusalReports; refusals: Refusal[] } {
    clock = sinon.useFakeTimers();
    const refusals: Refusal[] = [];
    return { reports: new RefusalReports({ reportRefusal: (refusal) => void refusals.push(refusal) }, memoryLogger()), refusals };
  }

  it('come at once, then once a minute with how many there were', () => {
    const { reports, refusals } = reporting();
    const note = (address: string): void => reports.note({ reason: 'token', status: 401, address });
    for (let n = 0; n < 5; n++) note('192.0.2.1');
    note('192.0.2.2');
    clock?.tick(60_000);
    clock?.tick(60_000);
    note('192.0.2.1');
    expect(refusals.map(({ address, count }) => `${address} ${count}`)).to.deep.equal([
      '192.0.2.1 1',
      '192.0.2.2 1',
      '192.0.2.1 4',
      '192.0.2.1 1',
    ]);
    reports.close();
  });

  it('name a thousand addresses, and count the others together', () => {
    const { reports, refusals } = reporting();
    for (let n = 0; n < 5000; n++) reports.note({ reason: 'token', status: 401, address: `2001:db8::${n}` });
    reports.close();
    expect(refusals).to.have.length(1002);
    expect(refusals.at(-1)).to.include({ address: 'others', count: 3999 });
  });
});
