import { expect } from 'chai';
import { rejection } from '../../../support/rejection.ts';
import { sharedToolkit } from '../fs/shared-toolkit.ts';

/** The parameter of each tool that holds the text, and how long that may be. */
const limits = [
  { tool: 'encode_base64', parameter: 'text', length: 10_000_000 },
  { tool: 'decode_base64', parameter: 'encoded', length: 15_000_000 },
  { tool: 'encode_url', parameter: 'text', length: 1_000_000 },
  { tool: 'decode_url', parameter: 'encoded', length: 1_000_000 },
  { tool: 'encode_html', parameter: 'text', length: 5_000_000 },
  { tool: 'decode_html', parameter: 'escaped', length: 5_000_000 },
  { tool: 'encode_url_parse', parameter: 'url', length: 1_000_000 },
];

describe('the encode tools', () => {
  const shared = sharedToolkit();

  it('are those of the catalogue, and do what their examples say', async () => {
    const tools = shared.toolkit.listTools().filter(({ name }) => /^(en|de)code_/.test(name));
    expect(tools.map(({ name }) => name)).to.have.members(limits.map(({ tool }) => tool));
    for (const { name, definition } of tools)
      for (const { parameters, output } of definition.examples ?? [])
        expect(await shared.toolkit.execute(name, parameters), name).to.deep.equal(output);
  });

  for (const { tool, parameter, length } of limits) {
    it(`${tool} takes ${length} characters and refuses more`, async () => {
      const given = tool === 'encode_url_parse' ? 'data:'.padEnd(length, 'a') : 'A'.repeat(length);
      expect(await shared.toolkit.execute(tool, { [parameter]: given })).to.be.an('object');
      const error = await rejection(shared.toolkit.execute(tool, { [parameter]: `${given}a` }), 'INVALID_PARAMETERS');
      expect(error.message).to.include(`${parameter} expected to not have more than ${length} characters`);
    });
  }
});
