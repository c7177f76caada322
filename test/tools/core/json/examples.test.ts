import { expect } from 'chai';
import { sharedToolkit } from '../fs/shared-toolkit.ts';

const tools = ['json_diff', 'json_flatten', 'json_format', 'json_infer_schema', 'json_merge', 'json_patch', 'json_query', 'json_validate'];

describe('the examples of the JSON tools', () => {
  const shared = sharedToolkit();

  it('are all there', () => {
    const found = shared.toolkit.listTools().filter(({ name }) => name.startsWith('json_'));
    expect(found.map(({ name }) => name)).to.have.members(tools);
  });

  for (const name of tools) {
    it(`give what they promise for ${name}`, async () => {
      const { examples = [] } = shared.toolkit.kernel.registry.get(name).definition;
      expect(examples).to.not.have.length(0);
      for (const { parameters, output } of examples) expect(await shared.toolkit.execute(name, parameters)).to.deep.equal(output);
    });
  }
});
