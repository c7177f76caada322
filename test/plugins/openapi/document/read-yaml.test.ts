import { copyFile, cp, mkdir, realpath, symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { readYaml } from '../../../../plugins/openapi/document/read-yaml.ts';
import { codeRoot } from '../../../../plugins/shared/project/layout.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

/** Longer than texts that are parsed in this process. */
const long = `# ${'x'.repeat(20_000)}\na: 1\n`;

const library = path.join('node_modules', 'yaml');

/** An installation whose packages are in another folder, as a package manager links them there; without `link`, it has none. */
async function installation(link?: 'node_modules' | 'package'): Promise<string> {
  const [store, project] = await Promise.all([temporaryFolder(), temporaryFolder()]);
  const folder = path.join(project, 'document');
  await mkdir(folder);
  await copyFile(path.join(codeRoot(), 'plugins', 'openapi', 'document', 'yaml-reader.cjs'), path.join(folder, 'yaml-reader.cjs'));
  if (link === undefined) return folder;
  await cp(await realpath(path.resolve(library)), path.join(store, library), { recursive: true });
  if (link === 'package') await mkdir(path.join(project, 'node_modules'));
  const linked = link === 'package' ? library : 'node_modules';
  await symlink(path.join(store, linked), path.join(project, linked), 'junction');
  return folder;
}

const read = (folder: string) => readYaml(long, undefined, folder);

describe('readYaml, in a child process', () => {
  it('finds the library where node_modules is a link', async () => {
    expect(await read(await installation('node_modules'))).to.deep.equal({ json: '{"a":1}', notes: [] });
  });

  it('finds the library where its package is a link to a store elsewhere', async () => {
    expect(await read(await installation('package'))).to.deep.equal({ json: '{"a":1}', notes: [] });
  });

  it('says that the library is not installed', async () => {
    const answer = await read(await installation());
    expect(answer).to.have.property('problem').that.includes('the package "yaml" is not installed');
  });
});
