import { expect } from 'chai';
import { coreGroup } from '../../../support/core-group.ts';

const { coreToolkit } = coreGroup('math');

describe('the examples of the mathematical tools', () => {
  it('run, and give the outputs that they promise', async () => {
    const toolkit = await coreToolkit();
    const tools = toolkit.listTools().filter(({ name }) => name.startsWith('math_'));
    expect(tools).to.have.length(7);
    for (const { name, definition } of tools) {
      for (const { parameters, output } of definition.examples ?? []) {
        const given = await toolkit.execute(name, parameters);
        if (output === undefined) expect(given, name).to.be.an('object');
        else expect(given, name).to.deep.equal(output);
      }
    }
  });
});
