import { expect } from 'chai';
import { LineGate, type LineRefusal } from '../../../../../plugins/mcp/transports/stdio/line-gate.ts';

/** What goes through a gate, line by line, and what is answered to the rest. */
async function through(...chunks: readonly (string | Buffer)[]): Promise<{ lines: string[]; refusals: LineRefusal[] }> {
  const refusals: LineRefusal[] = [];
  const gate = new LineGate((refusal) => void refusals.push(refusal));
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
  it('lets lines through, whole, however they come', async () => {
    const { lines, refusals } = await through(ping.slice(0, 5), ping.slice(5, 20), ping.slice(20) + ping, `${ping}{"half`);
    expect(lines).to.deep.equal([ping, ping, ping]);
    expect(refusals).to.deep.equal([]);
  });

  const messages: readonly { title: string; line: string; id: string | number | null }[] = [
    { title: 'before what it holds', line: `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"a":[${lists}]}}`, id: 7 },
    {
      title: 'behind what it holds',
      line: `{"method":"tools/call","params":{"a":[${lists}]},"jsonrpc":"2.0","id":"call 7"}`,
      id: 'call 7',
    },
    { title: 'with blanks', line: `{ "id" : 7 , "params" : {"a":[${lists}]} , "method" : "ping" }`, id: 7 },
    { title: 'not at all', line: `{"jsonrpc":"2.0","method":"note","params":{"a":[${lists}]}}`, id: null },
    { title: 'inside what it holds only', line: `{"jsonrpc":"2.0","method":"note","params":{"a":[${lists}],"id":7}}`, id: null },
    {
      title: 'as that of an answer, which is not the client to be answered',
      line: `{"jsonrpc":"2.0","id":7,"result":{"a":[${lists}]}}`,
      id: null,
    },
    { title: 'in no JSON', line: `${'{'.repeat(300_000)}"id":7`, id: null },
  ];
  for (const { title, line, id } of messages) {
    it(`refuses a line that holds too much, and goes on; its id stands ${title}`, async () => {
      const { lines, refusals } = await through(`${line}\n`, ping);
      expect(lines).to.deep.equal([ping]);
      expect(refusals).to.have.length(1);
      expect(refusals[0]).to.have.property('id', id);
      expect(refusals[0]?.error.code).to.equal(-32600);
      expect(refusals[0]?.error.message).to.match(
        /^The message was not read: it holds (more than 100000 members|more than 500000 items|something nested deeper than 64)/,
      );
    });
  }

  it('refuses a line of more than 8 MiB of which it keeps the ends only, and goes on', async () => {
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    const line = ['{"jsonrpc":"2.0","method":"tools/call","params":{"text":"', ...new Array<Buffer>(20).fill(chunk), '"},"id":9}\n'];
    const { lines, refusals } = await through(...line, ping);
    expect(lines).to.deep.equal([ping]);
    expect(refusals.map(({ id, error }) => [id, error.message])).to.deep.equal([
      [9, `The message was not read: it has ${20 * 1024 * 1024 + 68} bytes; at most 8388608 are taken. Send less at once.`],
    ]);
  });
});
