import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { secretsEnv } from '../../../../plugins/secrets-env/index.ts';
import { toolYaml } from '../../tool-files/tool-folder.ts';
import { type Connected, connect, landscape, refusal, skill, skillUri } from '../support/client.ts';

const notFound = -32002;
const template = 'skill://{name}/{+path}';

const demo = {
  'skills/demo/SKILL.md': skill('demo'),
  'skills/demo/.env': 'API_TOKEN=planted',
  'skills/demo/tool.yaml': 'name: planted',
  'skills/demo/notes/x.md': 'planted',
  'skills/demo/references/guide.md': '# Guide\n',
  'skills/demo/references/deep/er.txt': 'deep',
  'skills/demo/references/grüße & more.md': 'hi',
  'skills/demo/references/LICENSE': 'MIT',
  'skills/demo/references/.hidden.md': 'planted',
  'skills/demo/references/.git/config': 'planted',
  'skills/demo/scripts/run.py': 'print(1)\n',
  'skills/demo/assets/shape.svg': '<svg/>',
  'skills/demo/assets/data.json': '{}',
  'outside/secret.md': 'planted',
};

/** The folder `demo` with binary files and links, connected. */
async function demoClient(): Promise<Connected & { readonly read: (uri: string) => Promise<unknown> }> {
  const { kernel, folder } = await landscape(demo);
  const inDemo = (name: string) => path.join(folder, 'skills/demo', name);
  await writeFile(inDemo('assets/pixel.png'), Buffer.from('89504e470d0a1a0a', 'hex'));
  await writeFile(inDemo('assets/blob.dat'), Buffer.from([0, 1, 2]));
  await symlink('guide.md', inDemo('references/same.md'));
  await symlink('../.env', inDemo('references/env.md'));
  await symlink('../tool.yaml', inDemo('references/tool.md'));
  await symlink(path.join(folder, 'outside/secret.md'), inDemo('references/secret.md'));
  await symlink(path.join(folder, 'outside'), inDemo('references/outside'));
  await symlink('nowhere', inDemo('references/broken.md'));
  const connected = await connect(kernel);
  return { ...connected, read: async (uri) => (await connected.client.readResource({ uri })).contents };
}

async function completed({ client }: Connected, name: string, typed: string, given: Record<string, string> = {}): Promise<string[]> {
  const argument = { name, value: typed };
  return (await client.complete({ ref: { type: 'ref/resource', uri: template }, argument, context: { arguments: given } })).completion
    .values;
}

describe('files of a skill', () => {
  it('are one template, in place of a long list', async () => {
    const { client } = await demoClient();
    expect((await client.listResourceTemplates()).resourceTemplates).to.deep.equal([
      {
        uriTemplate: template,
        name: 'skill-file',
        title: 'File of a skill',
        description: 'A file that a skill refers to, in its folders assets, references, scripts.',
      },
    ]);
    expect((await client.listResources()).resources.map(({ uri }) => uri)).to.deep.equal([skillUri('demo')]);
  });

  it('are not there without a skill', async () => {
    const { client } = await connect((await landscape({ 'tools/a.yaml': toolYaml('a') })).kernel);
    expect((await client.listResourceTemplates()).resourceTemplates).to.deep.equal([]);
  });

  const readable: { uri: string; content: Readonly<Record<string, string>> }[] = [
    { uri: 'references/guide.md', content: { mimeType: 'text/markdown', text: '# Guide\n' } },
    { uri: 'references/deep/er.txt', content: { mimeType: 'text/plain', text: 'deep' } },
    { uri: 'references/LICENSE', content: { mimeType: 'text/plain', text: 'MIT' } },
    { uri: 'references/gr%C3%BC%C3%9Fe%20%26%20more.md', content: { mimeType: 'text/markdown', text: 'hi' } },
    { uri: 'references%2Fguide.md', content: { mimeType: 'text/markdown', text: '# Guide\n' } },
    { uri: 'references/same.md', content: { mimeType: 'text/markdown', text: '# Guide\n' } },
    { uri: 'scripts/run.py', content: { mimeType: 'text/plain', text: 'print(1)\n' } },
    { uri: 'assets/shape.svg', content: { mimeType: 'image/svg+xml', text: '<svg/>' } },
    { uri: 'assets/data.json', content: { mimeType: 'application/json', text: '{}' } },
    { uri: 'assets/pixel.png', content: { mimeType: 'image/png', blob: 'iVBORw0KGgo=' } },
    { uri: 'assets/blob.dat', content: { mimeType: 'application/octet-stream', blob: 'AAEC' } },
  ];
  for (const { uri, content } of readable) {
    it(`can be read: ${uri}`, async () => {
      const { read } = await demoClient();
      expect(await read(`skill://demo/${uri}`)).to.deep.equal([{ uri: `skill://demo/${uri}`, ...content }]);
    });
  }

  const refused: { what: string; uris: readonly string[] }[] = [
    { what: 'a file that is not there', uris: ['demo/references/none.md', 'demo/references/deep/none.md'] },
    { what: 'a skill that is not there', uris: ['other/references/guide.md', 'Demo/references/guide.md', '/references/guide.md'] },
    { what: 'a folder', uris: ['demo/references', 'demo/references/', 'demo/references/deep', 'demo/references/deep/'] },
    { what: 'what lies beside SKILL.md', uris: ['demo/.env', 'demo/tool.yaml', 'demo/notes/x.md', 'demo/skill.md', 'demo/./SKILL.md'] },
    { what: 'hidden files', uris: ['demo/references/.hidden.md', 'demo/references/.git/config', 'demo/references/%2ehidden.md'] },
    {
      what: 'a way up',
      uris: [
        'demo/references/../.env',
        'demo/references/../references/guide.md',
        'demo/references/deep/../guide.md',
        'demo/../demo/references/guide.md',
        '../demo/references/guide.md',
        'demo/../../outside/secret.md',
      ],
    },
    {
      what: 'an encoded way up',
      uris: [
        'demo/references/%2e%2e/.env',
        'demo/references/..%2f.env',
        'demo/references%2f..%2f.env',
        'demo/references/%2E%2E%2Ftool.yaml',
        'demo/references/%252e%252e/.env',
        'demo/references/..%5c.env',
        'demo%2f..%2fdemo/references/guide.md',
        '..%2fdemo/references/guide.md',
      ],
    },
    {
      what: 'an absolute path',
      uris: ['demo//etc/passwd', 'demo/references//etc/passwd', 'demo/%2fetc%2fpasswd', 'demo/references/%2fetc/passwd'],
    },
    { what: 'a link that leads out', uris: ['demo/references/secret.md', 'demo/references/outside/secret.md'] },
    { what: 'a link to what lies beside SKILL.md', uris: ['demo/references/env.md', 'demo/references/tool.md'] },
    { what: 'a link to nothing', uris: ['demo/references/broken.md'] },
    { what: 'a null byte', uris: ['demo/references/guide.md%00', 'demo/references/guide.md%00.md', 'demo/references%00/guide.md'] },
    { what: 'wrong percent-encoding', uris: ['demo/references/%', 'demo/references/%zz', 'demo/references/%c3', '%/references/guide.md'] },
    { what: 'a long URI', uris: [`demo/references/${'a'.repeat(3000)}`, `demo/references/${'a/'.repeat(2000)}x`] },
    { what: 'a query or a fragment', uris: ['demo/references/guide.md?x', 'demo/references/guide.md#x'] },
  ];
  for (const { what, uris } of refused) {
    it(`cannot be read: ${what}`, async () => {
      const { read } = await demoClient();
      for (const uri of uris) {
        const error = await refusal(read(`skill://${uri}`), notFound);
        expect(error.message).to.include('There is no resource').and.have.length.below(400);
        expect(error.data).to.have.property('uri').with.length.below(201);
      }
    });
  }

  for (const open of ['references', 'assets']) {
    it(`cannot be read when ${open} itself is a link that leads out`, async () => {
      const { kernel, folder } = await landscape({ 'skills/demo/SKILL.md': skill('demo'), 'outside/secret.md': 'planted' });
      await symlink(path.join(folder, 'outside'), path.join(folder, 'skills/demo', open));
      const connected = await connect(kernel);
      await refusal(connected.client.readResource({ uri: `skill://demo/${open}/secret.md` }), notFound);
      expect(await completed(connected, 'path', '', { name: 'demo' })).to.deep.equal([]);
    });
  }

  it('are refused, with the limit, when they are too large', async () => {
    const { kernel, folder } = await landscape({ 'skills/demo/SKILL.md': skill('demo') });
    await mkdir(path.join(folder, 'skills/demo/assets'));
    await writeFile(path.join(folder, 'skills/demo/assets/big.bin'), Buffer.alloc(4 * 1024 * 1024 + 1));
    const { client } = await connect(kernel);
    const { message } = await refusal(client.readResource({ uri: 'skill://demo/assets/big.bin' }), -32603);
    expect(message).to.include('OUTPUT_TOO_LARGE').and.include('has 4194305 bytes; at most 4194304 are given');
  });

  const typed = [
    { name: 'name', value: '', given: {}, values: ['demo', 'other'] },
    { name: 'name', value: 'de', given: {}, values: ['demo'] },
    { name: 'name', value: 'x', given: {}, values: [] },
    { name: 'path', value: '', given: {}, values: [] },
    { name: 'path', value: '', given: { name: 'nobody' }, values: [] },
    { name: 'path', value: 'references/d', given: { name: 'demo' }, values: ['references/deep/er.txt'] },
    { name: 'path', value: 'scripts/', given: { name: 'demo' }, values: ['scripts/run.py'] },
  ];
  for (const { name, value, given, values } of typed) {
    it(`are completed: ${name} "${value}" with ${JSON.stringify(given)}`, async () => {
      const connected = await connect((await landscape({ ...demo, 'skills/other/SKILL.md': skill('other') })).kernel);
      expect(await completed(connected, name, value, given as Record<string, string>)).to.deep.equal(values);
    });
  }

  it('are completed with what can be read, and with nothing else', async () => {
    const connected = await demoClient();
    const values = await completed(connected, 'path', '', { name: 'demo' });
    expect(values).to.include('references/guide.md').and.include('assets/pixel.png');
    for (const value of values) await connected.read(`skill://demo/${value.split('/').map(encodeURIComponent).join('/')}`);
  });
});

describe('skills beside tools', () => {
  const files = {
    'tools/shop/SKILL.md': skill('shop'),
    'tools/shop/references/planted.md': 'planted',
    'tools/shop/orders/list.yaml': toolYaml('shop_list_orders'),
    'tools/bank/SKILL.md': skill('bank'),
    'tools/bank/pay.yaml': toolYaml('bank_send_money'),
    'tools/bank-notes/SKILL.md': skill('bank-notes'),
    'skills/alone/SKILL.md': skill('alone'),
  };
  const filters: { options: { tools?: string[]; excludeTools?: string[] }; shown: readonly string[] }[] = [
    { options: {}, shown: ['alone', 'bank', 'bank-notes', 'shop'] },
    { options: { tools: ['shop_*'] }, shown: ['alone', 'bank-notes', 'shop'] },
    { options: { excludeTools: ['shop_list_orders'] }, shown: ['alone', 'bank', 'bank-notes'] },
    { options: { excludeTools: ['*'] }, shown: ['alone', 'bank-notes'] },
  ];
  for (const { options, shown } of filters) {
    it(`are shown with them, and alone always: ${JSON.stringify(options)}`, async () => {
      const connected = await connect((await landscape(files)).kernel, options);
      const { client } = connected;
      expect((await client.listResources()).resources.map(({ name }) => name)).to.have.members(shown);
      expect(await completed(connected, 'name', '')).to.have.members(shown);
      for (const name of ['shop', 'bank'].filter((hidden) => !shown.includes(hidden))) {
        await refusal(client.readResource({ uri: skillUri(name) }), notFound);
        await refusal(client.readResource({ uri: `skill://${name}/references/planted.md` }), notFound);
        expect(await completed(connected, 'path', '', { name })).to.deep.equal([]);
      }
    });
  }
});

describe('secrets in skills', () => {
  it('are masked in the text, the files and their names', async () => {
    const value = 'planted-secret-value';
    const files = {
      'skills/demo/SKILL.md': `${skill('demo')}Uses ${value}.`,
      'skills/demo/references/guide.md': `Send ${value}.`,
      [`skills/demo/references/${value}.md`]: 'named',
    };
    const { kernel } = await landscape(files, [secretsEnv({ env: { API_TOKEN: value } })]);
    await kernel.resolveSecrets(['API_TOKEN']);
    const connected = await connect(kernel);
    for (const uri of [skillUri('demo'), 'skill://demo/references/guide.md']) await connected.client.readResource({ uri });
    await connected.client.listResources();
    await completed(connected, 'path', 'ref', { name: 'demo' });
    const wire = JSON.stringify(connected.sent);
    expect(wire).to.include('Send [secret API_TOKEN].').and.not.include(value);
  });
});
