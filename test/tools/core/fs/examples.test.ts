import { expect } from 'chai';
import { coreToolkit } from '../../../support/core-toolkit.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

describe('the examples of the file tools', () => {
  for (const name of ['fs_read_file', 'fs_write_file', 'fs_search', 'fs_tree']) {
    it(`run for ${name} in the folder of a project`, async () => {
      const folder = await temporaryFolder({ 'package.json': '{ "version": "1.0.0" }\n' });
      const toolkit = await coreToolkit({ roots: [folder] });
      const { examples = [] } = toolkit.kernel.registry.get(name).definition;
      expect(examples).to.not.have.length(0);
      for (const { parameters } of examples) expect(await toolkit.execute(name, parameters)).to.be.an('object');
    });
  }
});
