import { expect } from 'chai';
import { readLine, refusalOf } from '../../../../../plugins/mcp/transports/stdio/serve-stdio.ts';

describe('a line of a client over stdio', () => {
  const answered: readonly [line: string, id: string | number | null, code: number][] = [
    ['{', null, -32700],
    ['not json', null, -32700],
    ['{"jsonrpc":"2.0","id":1', null, -32700],
    ['null', null, -32600],
    ['7', null, -32600],
    ['{}', null, -32600],
    ['{"jsonrpc":"1.0","id":1,"method":"ping"}', 1, -32600],
    ['{"jsonrpc":"2.0","id":"a","method":7}', 'a', -32600],
    ['{"jsonrpc":"2.0","id":"a","method":"ping","params":[]}', 'a', -32600],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', null, -32600],
    ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', null, -32600],
    ['{"jsonrpc":"2.0","method":"initialize"}', null, -32600],
    ['{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}', null, -32600],
    ['{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"progressToken":9007199254740993}}}', 1, -32600],
  ];
  for (const [line, id, code] of answered) {
    it(`is answered with ${code} and the id ${id} where it is ${line}`, () => {
      const { message, refusal } = readLine(line);
      expect([message, refusal?.id, refusal?.error.code]).to.deep.equal([undefined, id, code]);
    });
  }

  it('has its integers beyond 2^53 as texts, but where they name a request: there they are refused', () => {
    const { message } = readLine('{"jsonrpc":"2.0","id":"9007199254740993","method":"m","params":{"a":[9007199254740993],"n":1}}');
    expect(message).to.deep.equal({ jsonrpc: '2.0', id: '9007199254740993', method: 'm', params: { a: ['9007199254740993'], n: 1 } });
    const { refusal } = readLine('{"jsonrpc":"2.0","id":9007199254740993,"method":"m","params":{"a":[9007199254740993]}}');
    expect(refusal?.error.message).to.include('"id" to be a text, or an integer up to 2^53−1');
    const { problem } = readLine('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9007199254740993}}');
    expect(problem).to.include('"requestId"');
  });

  for (const line of [
    '',
    '   ',
    '\r\n',
    '{"jsonrpc":"2.0","method":"x","params":[]}',
    '{"jsonrpc":"2.0","id":1,"result":7}',
    '{"jsonrpc":"1.0","id":1,"error":{}}',
  ]) {
    it(`is not answered where it is ${JSON.stringify(line)}`, () => {
      expect(readLine(line)).to.not.have.any.keys('message', 'refusal');
    });
  }

  const refused: readonly [title: string, id: string | number | null, head: { readonly id?: string | number; readonly method?: string }][] =
    [
      ['a request', 9, { id: 9, method: 'tools/call' }],
      ['an answer, which is not the client to be answered', null, { id: 9 }],
      ['a notification', null, { method: 'note' }],
    ];
  for (const [title, id, head] of refused) {
    it(`that was dropped is answered with the id ${id} where it was ${title}`, () => {
      expect(refusalOf({ ...head, problem: 'has 20 bytes; at most 10 are taken' })).to.deep.equal({
        jsonrpc: '2.0',
        id,
        error: { code: -32600, message: 'The message was not read: it has 20 bytes; at most 10 are taken. Send less at once.' },
      });
    });
  }
});
