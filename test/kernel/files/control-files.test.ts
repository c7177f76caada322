import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { type ControlFileRule, ControlFiles } from '../../../kernel/files/control-files.ts';
import { temporaryFolder } from '../../support/temporary.ts';

const rule = (pattern: string, read = true): ControlFileRule => ({ pattern, what: pattern, read, plugin: 'test' });

describe('control files', () => {
  const files = new ControlFiles(
    [
      rule('/work/tools'),
      rule('/work/policy.yaml'),
      rule('/work/calls.jsonl.*'),
      rule('/work/tools/.env', false),
      rule('.git'),
      rule('.env.*', false),
    ].concat(['!.env.example', '!/work/node_modules/open', 'node_modules'].map((pattern) => rule(pattern))),
  );

  const cases: readonly { title: string; file: string; held: string | undefined }[] = [
    { title: 'a file that is named', file: '/work/policy.yaml', held: '/work/policy.yaml' },
    { title: 'the same in another case', file: '/work/Policy.YAML', held: '/work/policy.yaml' },
    { title: 'the same over a folder', file: '/work/sub/../policy.yaml', held: '/work/policy.yaml' },
    { title: 'one of the same name elsewhere', file: '/work/sub/policy.yaml', held: undefined },
    { title: 'one whose name goes on', file: '/work/policy.yaml.txt', held: undefined },
    { title: 'a folder', file: '/work/tools', held: '/work/tools' },
    { title: 'what is in a folder', file: '/work/tools/a/b.yaml', held: '/work/tools' },
    { title: 'a folder whose name goes on', file: '/work/tools-old/b.yaml', held: undefined },
    { title: 'a name with a star', file: '/work/calls.jsonl.12', held: '/work/calls.jsonl.*' },
    { title: 'without what the star stands for', file: '/work/calls.jsonl', held: undefined },
    { title: 'a star that would cross a folder', file: '/work/calls.jsonl.d/1', held: '/work/calls.jsonl.*' },
    { title: 'a name at the top', file: '/.git', held: '.git' },
    { title: 'a name at any depth, and below it', file: '/work/a/b/.git/hooks/pre-commit', held: '.git' },
    { title: 'a name in another case', file: '/work/.GIT/config', held: '.git' },
    { title: 'a name with what some file systems pass over', file: '/work/.g\u200cit/config', held: '.git' },
    { title: 'a name that only begins so', file: '/work/.gitignore', held: undefined },
    { title: 'a name with a long s, which has a k-like twin in another case', file: '/work/tool\u017f/a', held: '/work/tools' },
    { title: 'a star in a name', file: '/work/.env.production', held: '.env.*' },
    { title: 'a name that is taken out', file: '/work/.env.example', held: undefined },
    { title: 'a folder that is taken out', file: '/work/node_modules/open/a.js', held: undefined },
    { title: 'its neighbour', file: '/work/node_modules/other/a.js', held: 'node_modules' },
  ];
  for (const { title, file, held } of cases)
    it(`are ${held === undefined ? 'not ' : ''}found: ${title}`, () => {
      expect(files.find(file, 'write')?.pattern).to.equal(held);
    });

  it('may be read unless they hold secrets', () => {
    expect(files.find('/work/policy.yaml', 'read')).to.equal(undefined);
    expect(files.find('/work/.env.local', 'read')?.pattern).to.equal('.env.*');
    expect(files.find('/work/tools/.env', 'read')?.pattern).to.equal('/work/tools/.env');
  });

  it('compare in one Unicode form', () => {
    expect(new ControlFiles([rule('/work/f\u00fcr')]).find('/work/fu\u0308r/a', 'write')?.pattern).to.equal('/work/f\u00fcr');
  });

  it('are found where their folder really is, whether they are there or not', async () => {
    const base = await temporaryFolder({ 'real/inner/file': '' });
    await symlink('real', path.join(base, 'link'));
    const linked = new ControlFiles([rule(path.join(base, 'link/inner')), rule(path.join(base, 'link/new/deep'))]);
    expect(linked.find(path.join(base, 'real/inner/file'), 'write')).to.be.an('object');
    expect(linked.find(path.join(base, 'real/new/deep/a'), 'write')).to.be.an('object');
    expect(linked.find(path.join(base, 'real/new'), 'write')).to.equal(undefined);
  });

  it('tell of a folder that one of them is named in', () => {
    expect(files.findBelow('/work')?.pattern).to.equal('/work/tools');
    expect(files.findBelow('/work/other')).to.equal(undefined);
    expect(new ControlFiles([rule('/work/a'), rule('!/work/a')]).findBelow('/work')).to.equal(undefined);
  });

  it('are refused with the rule, who named it, and who can do something about it', () => {
    expect(() => files.refuse('/work/policy.yaml', 'write', 'policy.yaml'))
      .to.throw(
        /^"policy\.yaml" is a control file \(\/work\/policy\.yaml, named by test\): tools do not create, change, move or remove it\./,
      )
      .with.property('code', 'POLICY_DENIED');
    expect(() => files.refuse('/work/.env.local', 'read')).to.throw(/tools do not read it\. .*"allowControlFiles" of confine-paths/);
  });
});
