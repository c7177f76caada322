import { expect } from 'chai';
import { readLine } from '../../../../../plugins/mcp/transports/stdio/read-line.ts';

describe('a line of a client over stdio', () => {
  const answered: readonly [line: string, id: string | number | null, code: number][] = [
    ['{', null, -32700],
    ['not json', null, -32700],
    ['{"jsonrpc":"2.0","id":1', null, -32700],
    ['[]', null, -32600],
    ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', null, -32600],
    ['null', null, -32600],
    ['7', null, -32600],
    ['{}', null, -32600],
    ['{"jsonrpc":"1.0","id":1,"method":"ping"}', 1, -32600],
    ['{"jsonrpc":"2.0","id":"a","method":7}', 'a', -32600],
    ['{"jsonrpc":"2.0","id":"a","method":"ping","params":[]}', 'a', -32600],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', null, -32600],
    ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', null, -32600],
    ['{"jsonrpc":"2.0","method":"initialize"}', null, -32600],
  ];
  for (const [line, id, code] of answered) {
    it(`is answered with ${code} and the id ${id} where it is ${line}`, () => {
      const { message, refusal } = readLine(line);
      expect([message, refusal?.id, refusal?.error.code]).to.deep.equal([undefined, id, code]);
    });
  }

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
});
