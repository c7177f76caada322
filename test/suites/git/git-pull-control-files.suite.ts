import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { rejection } from '../../support/rejection.ts';
import { person } from '../../tools/core/git/person.ts';
import { type Cloned, cloned, pushedByOthers } from '../../tools/core/git/remotes.ts';
import { attacks, callInside } from '../../tools/core/git/walled.ts';

const pull = ({ project, folder }: Cloned, parameters: Readonly<Record<string, unknown>> = {}): Promise<unknown> =>
  callInside('git_pull', project, { remote_folder: folder, ...parameters }, folder);

/** Somebody else pushes an ordinary file and an attack to `main`. */
async function attacked(name: string, link?: string): Promise<Cloned> {
  const both = await cloned();
  await pushedByOthers(both, { 'ordinary.txt': 'evil', [name]: link === undefined ? 'evil' : { link } });
  return both;
}

describe('git_pull', () => {
  beforeEach(() => person());

  for (const { title, name, link, says } of attacks) {
    for (const merged of [false, true]) {
      it(`merges nothing of a remote that brings ${title}${merged ? ', beside commits of the branch' : ''}`, async () => {
        const both = await attacked(name, link);
        if (merged) await both.project.commit('Mine', { mine: '' });
        const before = await both.project.git('rev-parse', 'HEAD');
        const error = await rejection(pull(both, { fast_forward_only: !merged }), 'POLICY_DENIED');
        expect(error.message).to.include(name).and.include(says).and.include('Nothing was changed');
        expect(error.details).to.deep.include({ files: [name], count: 1 });
        expect(await both.project.git('rev-parse', 'HEAD')).to.equal(before);
        expect(await both.project.git('status', '--porcelain')).to.equal('');
        expect(existsSync(path.join(both.project.folder, 'ordinary.txt'))).to.equal(false);
      });
    }
  }

  it('changes no control file that a merge finds by its old name, or puts into a folder that was renamed', async () => {
    const text = Array.from({ length: 20 }, (_, line) => `# line ${line}\n`).join('');
    const both = await cloned();
    await both.project.commit('Base', { 'old.yaml': `rules: []\n${text}`, 'old/a.txt': text, 'old/b.txt': `${text}b` });
    await both.project.git('push', '--quiet', 'origin', 'main');
    await pushedByOthers(both, { 'old.yaml': `rules: []\n${text}# evil\n`, 'old/evil.yaml': 'evil' });
    await both.project.git('mv', 'old.yaml', 'policy.yaml');
    await both.project.git('mv', 'old', 'tools');
    await both.project.commit('Renamed');
    await both.project.git('config', 'merge.directoryRenames', 'true');
    const error = await rejection(pull(both, { fast_forward_only: false }), 'POLICY_DENIED');
    expect(error.details['files']).to.deep.equal(['policy.yaml', 'tools/evil.yaml']);
    expect(await both.project.git('status', '--porcelain')).to.equal('');
  });

  it('brings what is ordinary beside control files, and leaves those alone', async () => {
    const both = await cloned();
    await both.project.commit('Mine', { 'policy.yaml': 'rules: []\n', 'tools/.gitkeep': '' });
    await pushedByOthers(both, { 'a.txt': 'theirs', 'package.json': '{}', '.env.example': '', '.gitattributes': '* filter=none\n' });
    await pull(both, { fast_forward_only: false });
    expect(await both.project.git('ls-files')).to.equal(
      '.env.example\n.gitattributes\na.txt\npackage.json\npolicy.yaml\nsrc/b.txt\ntools/.gitkeep',
    );
    expect(await both.project.git('status', '--porcelain')).to.equal('');
  });

  it('runs nothing that files of the remote name', async () => {
    const both = await cloned();
    const marker = path.join(both.folder, 'marker');
    const program = `touch ${marker}`;
    const module = `[submodule "sub"]\n\tpath = sub\n\turl = ext::${program}\n\tupdate = !${program}\n\tbranch = main\n`;
    const attributes = '* filter=evil diff=evil merge=evil\n';
    const configuration = `[filter "evil"]\n\tsmudge = ${program}\n[core]\n\tfsmonitor = ${program}\n`;
    await pushedByOthers(both, { '.gitmodules': module, '.gitattributes': attributes, '.gitconfig': configuration, config: configuration });
    await both.project.commit('Mine', { mine: '' });
    await pull(both, { fast_forward_only: false });
    await callInside('git_switch', both.project, { branch: 'side' });
    await callInside('git_switch', both.project, { branch: 'main' });
    expect(existsSync(marker)).to.equal(false);
  });
});
