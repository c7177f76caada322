import { expect } from 'chai';
import { rejection } from '../../../support/rejection.ts';
import { sharedToolkit } from '../fs/shared-toolkit.ts';

/** The longest text that each tool takes, and the parameters that it needs beside it. */
const limits = {
  text_regex_match: { text: 10_000_000, with: { pattern: 'z' } },
  text_regex_replace: { text: 10_000_000, with: { pattern: 'z', replacement: '' } },
  text_split: { text: 10_000_000, with: { separator: ',' } },
  text_count: { text: 10_000_000, with: {} },
  text_change_case: { text: 1_000_000, with: { case: 'lower' } },
  text_slugify: { text: 10_000, with: {} },
  text_render_template: { template: 1_000_000, with: { data: {} } },
  text_sort_lines: { text: 10_000_000, with: {} },
  text_extract_entities: { text: 1_000_000, with: { kinds: ['uuid'] } },
  text_normalize: { text: 10_000_000, with: {} },
} as const;

describe('the text tools', () => {
  const shared = sharedToolkit();

  it('are those of the catalogue, and do what their examples say', async () => {
    const tools = shared.toolkit.listTools().filter(({ name }) => name.startsWith('text_'));
    expect(tools.map(({ name }) => name)).to.have.members([...Object.keys(limits), 'text_diff', 'text_similarity']);
    for (const { name, definition } of tools)
      for (const { parameters, output } of definition.examples ?? [])
        expect(await shared.toolkit.execute(name, parameters), name).to.deep.equal(output);
  });

  for (const [tool, { with: more, ...longest }] of Object.entries(limits)) {
    const [parameter = '', length = 0] = Object.entries(longest)[0] ?? [];
    it(`${tool} takes ${length} characters and refuses more`, async () => {
      const text = 'a'.repeat(length);
      expect(await shared.toolkit.execute(tool, { ...more, [parameter]: text })).to.be.an('object');
      const error = await rejection(shared.toolkit.execute(tool, { ...more, [parameter]: `${text}a` }), 'INVALID_PARAMETERS');
      expect(error.message).to.include(`${parameter} expected to not have more than ${length} characters`);
    });
  }
});
