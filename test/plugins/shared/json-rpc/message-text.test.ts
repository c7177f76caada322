import { expect } from 'chai';
import type { Connection } from '../../../../plugins/mcp/protocol/clients/connection.ts';
import { listTools } from '../../../../plugins/mcp/protocol/methods/tools.ts';
import { messageText, serializeOnce } from '../../../../plugins/shared/json-rpc/message.ts';

describe('the text of a message', () => {
  for (const id of [7, 'a "quoted" id']) {
    it(`has the id ${JSON.stringify(id)}, also where the result is written once for all who get it`, () => {
      let written = 0;
      const result = serializeOnce({ tools: [{ toJSON: () => `written ${++written}` }] });
      const texts = [1, 2].map(() => messageText({ jsonrpc: '2.0', id, result }));
      expect(texts.map((text) => JSON.parse(text))).to.deep.equal(Array(2).fill({ jsonrpc: '2.0', id, result: { tools: ['written 1'] } }));
    });
  }

  it('is written anew for results that may change, and for errors', () => {
    const result = { count: 1 };
    expect(messageText({ jsonrpc: '2.0', id: 1, result })).to.equal('{"jsonrpc":"2.0","id":1,"result":{"count":1}}');
    result.count = 2;
    expect(messageText({ jsonrpc: '2.0', id: 1, result })).to.include('"count":2');
    expect(messageText({ jsonrpc: '2.0', id: 1, error: { code: -1, message: 'no' } })).to.include('"message":"no"');
  });

  it('is the same for all who ask for the first page of a list, until there is another list', () => {
    let written = 0;
    const listOf = (name: string) => ({ tools: [{ name }], cachedEntry: () => ({ name, toJSON: () => ({ name, written: ++written }) }) });
    let list = listOf('one');
    const connection = { catalog: { tools: () => list }, exposure: 'all', pageSize: 10 } as unknown as Connection;
    const asked = () => messageText({ jsonrpc: '2.0', id: 1, result: listTools(connection, {}) as Record<string, unknown> });
    expect(asked()).to.equal(asked());
    expect(written).to.equal(1);
    list = listOf('two');
    expect(asked()).to.include('"two"').and.include('"written":2');
  });
});
