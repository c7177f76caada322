import { expect } from 'chai';
import { coreToolkit } from '../../../support/core-toolkit.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

describe('the examples of the tools about tools', () => {
  it('run', async () => {
    const cwd = await temporaryFolder();
    const toolkit = await coreToolkit({ cwd });
    const tools = toolkit.listTools().filter(({ name }) => name.startsWith('toolkit_'));
    expect(tools).to.have.lengthOf(10);
    for (const { name, definition } of tools) {
      for (const { parameters } of definition.examples ?? []) expect(await toolkit.execute(name, parameters), name).to.be.an('object');
    }
  });
});
