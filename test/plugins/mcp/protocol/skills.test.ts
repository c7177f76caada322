import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { formatProblem, type Kernel } from '../../../../kernel/index.ts';
import { skillFiles } from '../../../../plugins/skill-files/index.ts';
import { toolFiles } from '../../../../plugins/tool-files/index.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { bareKernel } from '../../../support/test-kernel.ts';
import { toolYaml } from '../../tool-files/tool-folder.ts';
import { connect, landscape, refusal, skill, skillUri, source } from '../support/client.ts';

const notFound = -32002;
function problemsOf({ registry }: Kernel, folder: string): string[] {
  return registry.problems.map((problem) => `${problem.severity} ${formatProblem(problem).replaceAll(`${folder}/`, '')}`);
}

describe('skills', () => {
  it('are resources: listed with their description, read as the whole file', async () => {
    const text = skill('orders', 'license: MIT\nmetadata:\n  version: 1.2\nallowed-tools: Read\ncompatibility: Needs Docker.\n');
    const { kernel, folder } = await landscape({ 'skills/orders/SKILL.md': text });
    expect(problemsOf(kernel, folder)).to.deep.equal([]);
    const { client } = await connect(kernel);
    expect((await client.listResources()).resources).to.deep.equal([
      {
        uri: 'skill://orders/SKILL.md',
        name: 'orders',
        title: 'Skill: orders',
        description: 'About orders.',
        mimeType: 'text/markdown',
        size: Buffer.byteLength(text),
      },
    ]);
    const { contents } = await client.readResource({ uri: skillUri('orders') });
    expect(contents).to.deep.equal([{ uri: skillUri('orders'), mimeType: 'text/markdown', text }]);
    expect(client.getInstructions()).to.include('skill://<provider>/SKILL.md');
  });

  it('are found beside tools and at any depth of the skill paths, where no tools are looked for', async () => {
    const { kernel } = await landscape({
      'tools/shop/SKILL.md': skill('shop'),
      'tools/shop/list.yaml': toolYaml('shop_list'),
      'skills/SKILL.md': skill('skills'),
      'skills/deep/er/one/SKILL.md': skill('one'),
      'skills/deep/tool.yaml': toolYaml('stray'),
      'skills/.hidden/two/SKILL.md': skill('two'),
      'skills/node_modules/three/SKILL.md': skill('three'),
      'skills/four/skill.md': skill('four'),
    });
    const { client } = await connect(kernel);
    expect((await client.listResources()).resources.map(({ name }) => name)).to.deep.equal(['one', 'shop', 'skills']);
    expect([...kernel.registry.tools.keys()]).to.deep.equal(['shop_list']);
  });

  it('are named by file as well, and once where paths overlap', async () => {
    const folder = await temporaryFolder({ 'all/a/SKILL.md': skill('a'), 'all/b/SKILL.md': skill('b') });
    const plugins = [toolFiles({ toolPaths: ['all'] }), skillFiles({ skillPaths: ['all/a/SKILL.md', 'all', 'all/b'] })];
    const kernel = await bareKernel({ plugins, cwd: folder });
    expect(problemsOf(kernel, folder)).to.deep.equal([]);
    expect([...kernel.registry.skills.keys()]).to.deep.equal(['a', 'b']);
  });

  it('say which skill path cannot be read', async () => {
    const kernel = await bareKernel({ plugins: [skillFiles({ skillPaths: ['nowhere'] })], cwd: await temporaryFolder() });
    expect(kernel.registry.problems.map(({ code, message }) => `${code} ${message}`).join()).to.match(
      /^CONFIG_INVALID the skill path "nowhere" cannot be read: .*ENOENT.*Correct skillPaths$/,
    );
  });

  const file = 'skills/orders/SKILL.md';
  const expected = 'expected front matter: a first line "---", then name and description, then a line "---"';
  const mistakes: { what: string; text: string; says: string }[] = [
    { what: 'an empty file', text: '', says: `${file}:1:1 ${expected}` },
    { what: 'no front matter', text: '# Orders\n', says: `${file}:1:1 ${expected}` },
    { what: 'front matter that does not end', text: '---\nname: orders\ndescription: d\n', says: `${file}:1:1 ${expected}` },
    { what: 'front matter below a line', text: '\n---\nname: orders\ndescription: d\n---\n', says: `${file}:1:1 ${expected}` },
    { what: 'front matter below a rule', text: '----\n---\nname: orders\ndescription: d\n---\n', says: `${file}:1:1 ${expected}` },
    { what: 'broken YAML', text: '---\nname: orders\ndescription: a: b\n---\n# x\n', says: `${file}:3:14 is not valid YAML: ` },
    { what: 'YAML that is no object', text: '---\n- name\n---\n', says: `${file}:2:1 expected an object with keys, received array of 1` },
    { what: 'nothing in it', text: '---\n---\n', says: `${file}:1:1 ${expected}` },
    { what: 'no description', text: '---\nname: orders\n---\n', says: `${file}:2:1 description: is required` },
    { what: 'an empty description', text: '---\nname: orders\ndescription: ""\n---\n', says: `${file}:3:1 description: expected ` },
    {
      what: 'a description that is too long',
      text: skill('orders').replace('About', 'x'.repeat(1024)),
      says: `${file}:3:1 description: expected `,
    },
    { what: 'no name', text: '---\n\ndescription: d\n---\n', says: `${file}:3:1 name: is required` },
    { what: 'a name with capitals', text: skill('Orders'), says: `${file}:2:1 name: expected to match pattern` },
    { what: 'a name that leads out', text: skill('../orders'), says: `${file}:2:1 name: expected to match pattern` },
    { what: 'a name that is too long', text: skill('o'.repeat(65)), says: `${file}:2:1 name: expected ` },
    {
      what: 'a mistyped key',
      text: skill('orders', 'licence: MIT\n'),
      says: `${file}:4:1 licence: is not known here. Did you mean "license"?`,
    },
    {
      what: 'a list as licence',
      text: skill('orders', 'license:\n  - MIT\n'),
      says: `${file}:4:1 license: expected string, received array of 1`,
    },
    {
      what: 'a mistake after Windows line ends',
      text: skill('orders', 'licence: MIT\n').replaceAll('\n', '\r\n'),
      says: `${file}:4:1 licence: is not known`,
    },
  ];
  for (const { what, text, says } of mistakes) {
    it(`are refused with ${what}, at the place of the mistake`, async () => {
      const { kernel, folder } = await landscape({ [file]: text, 'skills/good/SKILL.md': skill('good') });
      const problems = problemsOf(kernel, folder);
      expect(problems).to.have.length(1);
      expect(problems[0])
        .to.match(/^error /)
        .and.include(says);
      expect([...kernel.registry.skills.keys()]).to.deep.equal(['good']);
    });
  }

  const harmless: { what: string; text: string; says?: string }[] = [
    { what: 'a byte order mark and Windows line ends', text: `\uFEFF${skill('orders').replaceAll('\n', '\r\n')}` },
    { what: 'rules in its text', text: `${skill('orders')}\n---\nname: other\n---\n` },
    { what: 'a key of its own', text: skill('orders', 'x-team: shop\n') },
    { what: 'an unknown key', text: skill('orders', 'colour: red\n'), says: `warning ${file}:4:1 colour: is not known here.` },
  ];
  for (const { what, text, says } of harmless) {
    it(`are taken with ${what}`, async () => {
      const { kernel, folder } = await landscape({ [file]: text });
      expect([...kernel.registry.skills.keys()]).to.deep.equal(['orders']);
      expect(problemsOf(kernel, folder).join('\n')).to.match(says === undefined ? /^$/ : new RegExp(says));
    });
  }

  it('are taken with a warning when the folder has another name', async () => {
    const { kernel, folder } = await landscape({ 'skills/order/SKILL.md': skill('orders') });
    expect([...kernel.registry.skills.keys()]).to.deep.equal(['orders']);
    const [problem = '', ...rest] = problemsOf(kernel, folder);
    expect(rest).to.deep.equal([]);
    expect(problem).to.match(/^warning skills\/order\/SKILL\.md(:2:1)? name: is "orders", but the folder is "order"\. .*rename one$/);
  });

  it('keep the first of a name and say both owners', async () => {
    const other = source((sink) => sink.addSkill({ name: 'shop', description: 'd' }, 'text'), 'other');
    const files = { 'skills/a/shop/SKILL.md': skill('shop'), 'skills/b/shop/SKILL.md': skill('shop', 'license: MIT\n') };
    const { kernel, folder } = await landscape(files, [other]);
    const kept = 'the skill "shop" is already defined by skills/a/shop/SKILL.md; that one is used. Rename one of the two';
    expect(problemsOf(kernel, folder)).to.deep.equal([
      `error skills/b/shop/SKILL.md:2:1 ${kept} (skills/b/shop/SKILL.md is the other)`,
      `error other ${kept} (plugin other is the other)`,
    ]);
    expect(kernel.registry.skills.get('shop')?.license).to.equal(undefined);
  });
});

describe('skills after a reload', () => {
  const updated = 'notifications/resources/updated';
  const listChanged = 'notifications/resources/list_changed';

  it('keep the last good text of a file that is broken now', async () => {
    const { kernel, folder } = await landscape({ 'skills/a/SKILL.md': skill('a'), 'skills/b/SKILL.md': skill('b') });
    const { client, heard } = await connect(kernel);
    await client.listResources();
    await client.subscribeResource({ uri: skillUri('a') });
    const write = (text: string) => writeFile(path.join(folder, 'skills/a/SKILL.md'), text);
    const read = async () => (await client.readResource({ uri: skillUri('a') })).contents[0];
    for (const broken of ['# A', '---\nname: a\n---\n', '---\nname: "a\n---\n']) {
      await write(broken);
      expect((await kernel.reload()).problems, broken).to.have.length(1);
      expect(await read(), broken).to.have.property('text', skill('a'));
    }
    expect([await heard(updated), await heard(listChanged)]).to.deep.equal([[], []]);
    await write(skill('a', 'license: MIT\n'));
    await kernel.reload();
    expect(await read()).to.have.property('text', skill('a', 'license: MIT\n'));
    await rm(path.join(folder, 'skills/a'), { recursive: true });
    await kernel.reload();
    await refusal(read(), notFound);
  });

  it('tell subscribers of another text, each time, until they have had enough', async () => {
    const { kernel, folder } = await landscape({ 'skills/a/SKILL.md': skill('a'), 'skills/b/SKILL.md': skill('b') });
    const { client, heard } = await connect(kernel);
    await client.subscribeResource({ uri: skillUri('a') });
    const change = async (name: string, more: string) => {
      await writeFile(path.join(folder, `skills/${name}/SKILL.md`), skill(name, more));
      await kernel.reload();
      return (await heard(updated)).length;
    };
    expect(await change('a', 'license: 1st\n')).to.equal(1);
    expect(await change('a', 'license: 1st\n')).to.equal(1);
    expect(await change('b', 'license: 1st\n')).to.equal(1);
    expect(await change('a', 'license: 2nd\n')).to.equal(2);
    await client.unsubscribeResource({ uri: skillUri('a') });
    expect(await change('a', 'license: 3rd\n')).to.equal(2);
    expect(await heard(updated)).to.deep.equal([{ uri: skillUri('a') }, { uri: skillUri('a') }]);
  });

  const changes: { what: string; files: Readonly<Record<string, string>>; changed: boolean }[] = [
    { what: 'a new skill', files: { 'c/SKILL.md': skill('c') }, changed: true },
    { what: 'another description', files: { 'a/SKILL.md': skill('a').replace('About', 'On') }, changed: true },
    { what: 'another text of the same length', files: { 'a/SKILL.md': skill('a').replace('# a', '# b') }, changed: false },
    { what: 'nothing', files: {}, changed: false },
    { what: 'a file beside it', files: { 'a/references/x.md': 'x' }, changed: false },
  ];
  for (const { what, files, changed } of changes) {
    it(`are ${changed ? '' : 'not '}announced as another list for ${what}`, async () => {
      const { kernel, folder } = await landscape({ 'skills/a/SKILL.md': skill('a') });
      const { client, heard } = await connect(kernel);
      await client.listResources();
      for (const [name, text] of Object.entries(files)) {
        await mkdir(path.dirname(path.join(folder, 'skills', name)), { recursive: true });
        await writeFile(path.join(folder, 'skills', name), text);
      }
      await kernel.reload();
      expect(await heard(listChanged)).to.have.length(changed ? 1 : 0);
      expect(await heard('notifications/tools/list_changed')).to.deep.equal([]);
    });
  }
});
