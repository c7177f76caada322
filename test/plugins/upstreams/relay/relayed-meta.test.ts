import { expect } from 'chai';
import { relayedMeta } from '../../../../plugins/upstreams/relay/relayed-meta.ts';

const server = { 'io.modelcontextprotocol/serverInfo': { name: 'other', version: '1' } };

describe('the metadata of a server', () => {
  for (const [what, given, expected] of [
    ['is relayed, also when it is empty', {}, { _meta: {} }],
    [
      'is relayed without the name of the server and the token of the progress',
      { ...server, progressToken: 1, a: null },
      { _meta: { a: null } },
    ],
    ['is relayed without a place in a trace', { traceparent: '00-…', tracestate: 'a=b', baggage: 'user=ada', a: 1 }, { _meta: { a: 1 } }],
    ['is left out where nothing is left', server, {}],
    ['is left out where there is none', undefined, {}],
  ] as const)
    it(what, () => {
      expect(relayedMeta(given)).to.deep.equal(expected);
    });
});
