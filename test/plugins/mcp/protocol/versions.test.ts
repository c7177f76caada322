import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'chai';
import { protocolVersions } from '../../../../plugins/shared/json-rpc/message.ts';

describe('versions of the protocol', () => {
  it('are those of the protocol library, which answers the rest of a connection', () => {
    expect(protocolVersions).to.deep.equal(SUPPORTED_PROTOCOL_VERSIONS);
  });
});
