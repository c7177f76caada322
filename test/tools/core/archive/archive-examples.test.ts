import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { coreGroup } from '../../../support/core-group.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

const { coreToolkit } = coreGroup('archive');

const names = readdirSync('tools/core/archive').filter((file) => file.endsWith('.yaml'));

describe('the examples of the archive tools', () => {
  for (const name of names.map((file) => path.basename(file, '.yaml'))) {
    it(`run for ${name} in the folder of a project`, async () => {
      const folder = await temporaryFolder({ 'package.json': '{ "version": "1.0.0" }\n', 'downloads/release/a.txt': 'a' });
      execFileSync('tar', ['-czf', 'release.tar.gz', 'release'], { cwd: `${folder}/downloads` });
      execFileSync('zip', ['-q', '-r', 'release.zip', 'release'], { cwd: `${folder}/downloads` });
      execFileSync('rm', ['-r', 'release'], { cwd: `${folder}/downloads` });
      const toolkit = await coreToolkit({ roots: [folder] });
      const { examples = [] } = toolkit.kernel.registry.get(name).definition;
      expect(examples).to.not.have.length(0);
      for (const { parameters, output } of examples) {
        const answer = await toolkit.execute(name, parameters);
        expect(answer).to.be.an('object');
        if (output !== undefined) expect(answer).to.deep.equal(output);
      }
    });
  }
});
