import { once } from 'node:events';
import { expect } from 'chai';
import { textExcess } from '../../../../kernel/index.ts';
import { LineGate, type RefusedLine } from '../../../../plugins/shared/json-rpc/lines.ts';

/** Sends chunks through a gate. Returns the lines that pass, and the refusals of the rest. */
async function through(...chunks: readonly (string | Buffer)[]): Promise<{ lines: string[]; refusals: RefusedLine[] }> {
  const refusals: RefusedLine[] = [];
  const gate = new LineGate({ maxBytes: 8 * 1024 * 1024, excessOf: textExcess, refuse: (refused) => void refusals.push(refused) });
  const passed: Buffer[] = [];
  gate.on('data', (line: Buffer) => void passed.push(line));
  const ended = new Promise((resolve) => gate.once('end', resolve));
  for (const chunk of chunks) gate.write(chunk);
  gate.end();
  await ended;
  return { lines: passed.map(String), refusals };
}

const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';
const lists = '[]'.concat(',[]'.repeat(500_001));

describe('the gate for lines of a client', () => {
  it('lets lines through, whole, however they come, and the last one without an end', async () => {
    const { lines, refusals } = await through(ping.slice(0, 5), ping.slice(5, 20), ping.slice(20) + ping, `${ping}{"last`);
    expect(lines).to.deep.equal([ping, ping, ping, '{"last']);
    expect(refusals).to.deep.equal([]);
  });

  const messages: readonly { title: string; line: string; head: Partial<RefusedLine> }[] = [
    {
      title: 'before what it holds',
      line: `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"a":[${lists}]}}`,
      head: { id: 7, method: 'tools/call' },
    },
    {
      title: 'behind what it holds',
      line: `{"method":"tools/call","params":{"a":[${lists}]},"jsonrpc":"2.0","id":"call 7"}`,
      head: { id: 'call 7', method: 'tools/call' },
    },
    { title: 'with blanks', line: `{ "id" : 7 , "params" : {"a":[${lists}]} , "method" : "ping" }`, head: { id: 7, method: 'ping' } },
    { title: 'not at all', line: `{"jsonrpc":"2.0","method":"note","params":{"a":[${lists}]}}`, head: { method: 'note' } },
    {
      title: 'inside what it holds only',
      line: `{"jsonrpc":"2.0","method":"note","params":{"a":[${lists}],"id":7}}`,
      head: { method: 'note' },
    },
    { title: 'as that of an answer, without a method', line: `{"jsonrpc":"2.0","id":7,"result":{"a":[${lists}]}}`, head: { id: 7 } },
    { title: 'in no JSON', line: `${'{'.repeat(300_000)}"id":7`, head: {} },
  ];
  for (const { title, line, head } of messages) {
    it(`refuses a line that holds too much, and goes on; its id stands ${title}`, async () => {
      const { lines, refusals } = await through(`${line}\n`, ping);
      expect(lines).to.deep.equal([ping]);
      const [{ problem, ...rest } = { problem: '' }, ...others] = refusals;
      expect([rest, others]).to.deep.equal([head, []]);
      expect(problem).to.match(/^holds (more than 100000 members|more than 500000 items|something nested deeper than 64)/);
    });
  }

  const noText: readonly (readonly [where: string, line: Buffer, head: Partial<RefusedLine>])[] = [
    ['in a value', Buffer.from('{"jsonrpc":"2.0","id":7,"method":"ping","x":"\xe9"}', 'latin1'), { id: 7, method: 'ping' }],
    ['behind a byte order mark', Buffer.from('\xef\xbb\xbf{"id":7,"method":"ping","x":"\xff"}', 'latin1'), { id: 7, method: 'ping' }],
    ['in the id', Buffer.from('{"id":"\xe9","method":"ping"}', 'latin1'), { method: 'ping' }],
    ['as another encoding', Buffer.from('\ufeff[]', 'utf16le'), {}],
  ];
  for (const [where, line, head] of noText) {
    it(`refuses a line with bytes that are no UTF-8, ${where}`, async () => {
      const { lines, refusals } = await through(line, '\n', ping);
      expect(lines).to.include(ping);
      expect(refusals[0]).to.deep.equal({ problem: 'holds bytes that are no UTF-8', isUtf8: false, ...head });
    });
  }

  it('refuses a line of more than 8 MiB of which it keeps the ends only, and goes on', async () => {
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    const line = ['{"jsonrpc":"2.0","method":"tools/call","params":{"text":"', ...new Array<Buffer>(20).fill(chunk), '"},"id":9}\n'];
    const { lines, refusals } = await through(...line, ping);
    expect(lines).to.deep.equal([ping]);
    expect(refusals).to.deep.equal([
      { id: 9, method: 'tools/call', problem: `has ${20 * 1024 * 1024 + 68} bytes; at most 8388608 are taken` },
    ]);
  });

  it('looks into no line where nobody says what is too much', async () => {
    const passed: Buffer[] = [];
    const gate = new LineGate({ maxBytes: 8 * 1024 * 1024, refuse: () => {} });
    gate.on('data', (line: Buffer) => void passed.push(line));
    gate.write(`[${lists}]\n`);
    gate.end();
    await once(gate, 'end');
    expect(passed.map(({ length }) => length)).to.deep.equal([lists.length + 3]);
  });
});
