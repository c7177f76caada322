import { expect } from 'chai';
import { coreGroup } from '../../../support/core-group.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

const { coreToolkit } = coreGroup('system');

describe('the examples of the system tools', () => {
  it('run, and give the outputs that they promise', async () => {
    const toolkit = await coreToolkit({ roots: [await temporaryFolder()] });
    const tools = toolkit.listTools().filter(({ name }) => name.startsWith('system_'));
    expect(tools).to.have.length(5);
    for (const { name, definition } of tools) {
      for (const { parameters, output } of definition.examples ?? []) {
        const given = await toolkit.execute(name, parameters);
        if (output === undefined) expect(given, name).to.be.an('object');
        else expect(given, name).to.deep.equal(output);
      }
    }
  });
});
