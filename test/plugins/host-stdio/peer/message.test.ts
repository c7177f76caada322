import { expect } from 'chai';
import { type Received, readLine } from '../../../../plugins/host-stdio/peer/message.ts';

describe('a line of the other side', () => {
  const taken: readonly [line: string, message: Received][] = [
    ['{"jsonrpc":"2.0","id":1,"method":"x"}', { kind: 'request', id: 1, method: 'x', params: {} }],
    ['{"jsonrpc":"2.0","id":"a","method":"x","params":{"y":1}}\r', { kind: 'request', id: 'a', method: 'x', params: { y: 1 } }],
    [
      '{"jsonrpc":"2.0","id":"7960607143101464577","method":"x","params":{"y":[7960607143101464577,9007199254740991]}}',
      { kind: 'request', id: '7960607143101464577', method: 'x', params: { y: ['7960607143101464577', 9007199254740991] } },
    ],
    ['{"jsonrpc":"2.0","id":1,"result":{"output":-9007199254740993}}', { kind: 'answer', id: 1, result: { output: '-9007199254740993' } }],
    ['{"jsonrpc":"2.0","method":"x"}', { kind: 'notification', method: 'x', params: {} }],
    ['{"jsonrpc":"2.0","id":1,"result":null}', { kind: 'answer', id: 1, result: null }],
    [
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"no","data":{"code":"NOT_FOUND"}}}',
      { kind: 'answer', id: 1, error: { code: -32000, message: 'no', data: { code: 'NOT_FOUND' } } },
    ],
    ['', { kind: 'nothing' }],
    ['  \r', { kind: 'nothing' }],
  ];
  for (const [line, message] of taken) {
    it(`is read where it is ${JSON.stringify(line)}`, () => {
      expect(readLine(line)).to.deep.equal(message);
    });
  }

  const refused: readonly [line: string, id: string | number | null, code: number][] = [
    ['{', null, -32700],
    ['Hello', null, -32700],
    ['7', null, -32600],
    ['null', null, -32600],
    ['[{"jsonrpc":"2.0","id":1,"method":"x"}]', null, -32600],
    ['{}', null, -32600],
    ['{"jsonrpc":"1.0","id":1,"method":"x"}', 1, -32600],
    ['{"jsonrpc":"2.0","id":1,"method":7}', 1, -32600],
    ['{"jsonrpc":"2.0","id":"a","method":"x","params":[1]}', 'a', -32600],
    ['{"jsonrpc":"2.0","id":null,"method":"x"}', null, -32600],
    ['{"jsonrpc":"2.0","id":1.5,"method":"x"}', null, -32600],
    ['{"jsonrpc":"2.0","id":7960607143101464577,"method":"x"}', null, -32600],
    ['{"jsonrpc":"2.0","id":{},"method":"x"}', null, -32600],
  ];
  for (const [line, id, code] of refused) {
    it(`is refused with ${code} and the id ${id} where it is ${line}`, () => {
      const message = readLine(line);
      expect(message).to.include({ kind: 'wrong', id });
      expect(message).to.have.nested.property('error.code', code);
    });
  }

  const answers = ['{"jsonrpc":"2.0","id":1}', '{"jsonrpc":"2.0","id":1,"error":"no"}', '{"jsonrpc":"2.0","id":1,"error":{}}'];
  for (const line of answers) {
    it(`is an answer that says nothing where it is ${line}`, () => {
      expect(readLine(line)).to.have.nested.property('error.code', -32600);
      expect(readLine(line)).to.include({ kind: 'answer', id: 1 });
    });
  }
});
