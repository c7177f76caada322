import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { type ControlFileRule, ControlFiles } from '../../../kernel/files/control-files.ts';
import { temporaryFolder } from '../../support/temporary.ts';

const rule = (pattern: string, read = true): ControlFileRule => ({ pattern, what: pattern, read, plugin: 'test' });

describe('control files', () => {
  const files = new ControlFiles(
    [
      rule('/srv/shop/tools'),
      rule('/srv/shop/policy.yaml'),
      rule('/srv/shop/calls.jsonl.*'),
      rule('/srv/shop/tools/.env', false),
      rule('.git'),
      rule('.env.*', false),
      rule('.git/**/objects', false),
      rule('.aws/credentials', false),
      rule('[0-9a-f][0-9a-f]/[0-9a-f]*.o', false),
    ].concat(['!.env.example', '!/srv/shop/node_modules/open', 'node_modules'].map((pattern) => rule(pattern))),
  );

  const cases: readonly { title: string; file: string; held: string | undefined }[] = [
    { title: 'a file that is named', file: '/srv/shop/policy.yaml', held: '/srv/shop/policy.yaml' },
    { title: 'the same in another case', file: '/srv/shop/Policy.YAML', held: '/srv/shop/policy.yaml' },
    { title: 'the same over a folder', file: '/srv/shop/sub/../policy.yaml', held: '/srv/shop/policy.yaml' },
    { title: 'one of the same name elsewhere', file: '/srv/shop/sub/policy.yaml', held: undefined },
    { title: 'one whose name goes on', file: '/srv/shop/policy.yaml.txt', held: undefined },
    { title: 'a folder', file: '/srv/shop/tools', held: '/srv/shop/tools' },
    { title: 'what is in a folder', file: '/srv/shop/tools/a/b.yaml', held: '/srv/shop/tools' },
    { title: 'a folder whose name goes on', file: '/srv/shop/tools-old/b.yaml', held: undefined },
    { title: 'a name with a star', file: '/srv/shop/calls.jsonl.12', held: '/srv/shop/calls.jsonl.*' },
    { title: 'without what the star stands for', file: '/srv/shop/calls.jsonl', held: undefined },
    { title: 'a star that would cross a folder', file: '/srv/shop/calls.jsonl.d/1', held: '/srv/shop/calls.jsonl.*' },
    { title: 'a name at the top', file: '/.git', held: '.git' },
    { title: 'a name at any depth, and below it', file: '/srv/shop/a/b/.git/hooks/pre-commit', held: '.git' },
    { title: 'a name in another case', file: '/srv/shop/.GIT/config', held: '.git' },
    { title: 'a name with what some file systems pass over', file: '/srv/shop/.g\u200cit/config', held: '.git' },
    { title: 'a name that only begins so', file: '/srv/shop/.gitignore', held: undefined },
    { title: 'a name with a long s, which has a k-like twin in another case', file: '/srv/shop/tool\u017f/a', held: '/srv/shop/tools' },
    { title: 'a star in a name', file: '/srv/shop/.env.production', held: '.env.*' },
    { title: 'a name that is taken out', file: '/srv/shop/.env.example', held: undefined },
    { title: 'several names', file: '/srv/shop/.aws/credentials/x', held: '.aws/credentials' },
    { title: 'the same in capitals', file: '/srv/shop/.AWS/Credentials', held: '.aws/credentials' },
    { title: 'several names with another between', file: '/srv/shop/.aws/x/credentials', held: undefined },
    { title: 'the last of several names', file: '/srv/shop/x.aws/credentials', held: undefined },
    { title: 'hexadecimal digits', file: '/srv/shop/aF/0123.o', held: '[0-9a-f][0-9a-f]/[0-9a-f]*.o' },
    { title: 'other letters', file: '/srv/shop/ag/0123.o', held: undefined },
    { title: 'a folder that is taken out', file: '/srv/shop/node_modules/open/a.js', held: undefined },
    { title: 'its neighbour', file: '/srv/shop/node_modules/other/a.js', held: 'node_modules' },
  ];
  for (const { title, file, held } of cases)
    it(`are ${held === undefined ? 'not ' : ''}found: ${title}`, () => {
      expect(files.find(file, 'write')?.pattern).to.equal(held);
    });

  it('are the same whatever was asked about before', () => {
    const names = [
      '',
      '.git',
      '.env.local',
      'aa',
      'ab.o',
      'tools',
      'calls.jsonl.1',
      'credentials',
      '.aws',
      'x\\.aws\\credentials',
      'objects',
      'policy.yaml',
    ];
    const folders = [
      '/',
      '/srv',
      '/srv/shop',
      '/srv/shop/tools',
      '/srv/shop/calls.jsonl.1',
      '/srv/shop/.git',
      '/srv/shop/.git/a',
      '/srv/.aws',
      '/srv/aa',
    ];
    const asked = folders.flatMap((folder) => names.map((name) => path.posix.join(folder, name)));
    for (const order of [asked, [...asked].reverse(), [...asked].sort((a, b) => a.length - b.length)])
      for (const access of ['read', 'write'] as const)
        for (const file of order) {
          const alone = new ControlFiles(files.rules).find(file, access)?.pattern;
          expect(files.find(file, access)?.pattern, `${file}, ${access}`).to.equal(alone);
        }
  });

  it('may be read unless they hold secrets', () => {
    expect(files.find('/srv/shop/policy.yaml', 'read')).to.equal(undefined);
    expect(files.find('/srv/shop/.env.local', 'read')?.pattern).to.equal('.env.*');
    expect(files.find('/srv/shop/tools/.env', 'read')?.pattern).to.equal('/srv/shop/tools/.env');
  });

  it('may be read but for what lies below by several names, at any depth', () => {
    expect(files.find('/srv/shop/.git/config', 'read')).to.equal(undefined);
    expect(files.find('/srv/shop/.git/objects', 'read')?.pattern).to.equal('.git/**/objects');
    expect(files.find('/srv/shop/a/.GIT/modules/b/c/objects/d', 'read')?.pattern).to.equal('.git/**/objects');
    expect(files.hidesBelow('/srv/shop/.git')).to.equal(true);
    expect(files.hidesBelow('/srv/shop/node_modules')).to.equal(false);
  });

  it('compare in one Unicode form', () => {
    expect(new ControlFiles([rule('/srv/shop/f\u00fcr')]).find('/srv/shop/fu\u0308r/a', 'write')?.pattern).to.equal('/srv/shop/f\u00fcr');
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
    expect(files.findBelow('/srv/shop')?.pattern).to.equal('/srv/shop/tools');
    expect(files.findBelow('/srv/shop/other')).to.equal(undefined);
    expect(new ControlFiles([rule('/srv/shop/a'), rule('!/srv/shop/a')]).findBelow('/srv/shop')).to.equal(undefined);
  });

  it('are refused with the rule, who named it, and who can do something about it', () => {
    expect(() => files.refuse('/srv/shop/policy.yaml', 'write', 'policy.yaml'))
      .to.throw(
        /^"policy\.yaml" is a control file \(\/srv\/shop\/policy\.yaml, named by test\): tools do not create, change, move or remove it\./,
      )
      .with.property('code', 'POLICY_DENIED');
    expect(() => files.refuse('/srv/shop/.env.local', 'read')).to.throw(/tools do not read it\. .*"allowControlFiles" of confine-paths/);
  });
});
