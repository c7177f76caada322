import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { coreGroup } from '../../../support/core-group.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

const { coreToolkit } = coreGroup('fs');

const project = { 'package.json': '{ "version": "1.0.0" }\n', 'README.md': '# ä\n' };

/** Files that the examples of a writing tool leave behind, with their content. The others leave the project unchanged. */
const left: Readonly<Record<string, readonly [string, string | undefined]>> = {
  fs_append_file: ['log.txt', '2026-01-31 Lieferung geprüft\n'],
  fs_apply_patch: ['notes/plan.txt', 'Änderungen\nbis Freitag\n'],
  fs_copy: ['backup/package.json', project['package.json']],
  fs_delete: ['package.json', undefined],
  fs_move: ['package-old.json', project['package.json']],
  fs_write_file: ['notes/plan.txt', 'Änderungen bis Freitag\n'],
};

const names = readdirSync('tools/core/fs').filter((file) => file.endsWith('.yaml'));

describe('the examples of the file tools', () => {
  for (const name of names.map((file) => path.basename(file, '.yaml'))) {
    it(`run for ${name} in the folder of a project`, async () => {
      const folder = await temporaryFolder(project);
      const toolkit = await coreToolkit({ roots: [folder] });
      const { examples = [] } = toolkit.kernel.registry.get(name).definition;
      expect(examples).to.not.have.length(0);
      for (const { parameters, output } of examples) {
        const answer = await toolkit.execute(name, parameters);
        expect(answer).to.be.an('object');
        if (output !== undefined) expect(answer).to.deep.equal(output);
      }
      const [file, content] = left[name] ?? ['package.json', project['package.json']];
      expect(await readFile(path.join(folder, file), 'utf8').catch(() => undefined)).to.equal(content);
    });
  }
});
