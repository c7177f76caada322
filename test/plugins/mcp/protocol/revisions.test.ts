import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'chai';
import { sessionVersions } from '../../../../plugins/mcp/protocol/revisions.ts';

describe('versions of the protocol', () => {
  it('are those of the official library', () => {
    expect(sessionVersions).to.deep.equal(SUPPORTED_PROTOCOL_VERSIONS);
  });
});
