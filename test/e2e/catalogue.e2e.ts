import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect } from 'chai';
import { foldersForFile, temporaryFolder } from '../support/temporary.ts';

const preload = path.resolve('fixtures/preload/trace-loads.mjs');

interface Listed {
  readonly tools: readonly { readonly name: string; readonly description?: string | undefined }[];
  /** Which files of the build's knowledge were read, by their endings. */
  readonly read: readonly string[];
}

/** Returns the tools that the program of an installation lists, with these files in its working folder. */
async function listed(installation: string, files: Readonly<Record<string, string>> = {}): Promise<Listed> {
  const cwd = await temporaryFolder(files);
  const log = path.join(cwd, 'loads.txt');
  const env = { PATH: process.env['PATH'] ?? '', HOME: cwd, LOADS: log };
  const args = ['--import', preload, path.join(installation, 'dist/plugins/toolkit/main.js'), 'mcp'];
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd, env, stderr: 'ignore' }));
  const { tools } = await client.listTools();
  await client.close();
  const names = (await readFile(log, 'utf8')).split('\n').filter((line) => line.includes('/manifests/'));
  return { tools, read: [...new Set(names.map((line) => path.basename(line)))].sort() };
}

/** A copy of this program as it was built, which a test may change. */
async function copy(): Promise<string> {
  const folder = await temporaryFolder();
  await cp(path.resolve('dist'), path.join(folder, 'dist'), { recursive: true });
  await cp(path.resolve('package.json'), path.join(folder, 'package.json'));
  await symlink(path.resolve('node_modules'), path.join(folder, 'node_modules'));
  return folder;
}

/** A configuration with a definition key more: what the build linked does not hold there. */
const stranger = (installation: string): Readonly<Record<string, string>> => ({
  'stranger.mjs': `import { apiVersion, definePlugin } from '${path.join(installation, 'dist/kernel/index.js')}';
export default definePlugin({ name: 'stranger', apiVersion, apply: ({ extend }) => extend.reserveKey('strange') });
`,
  'toolkit.config.yaml': 'plugins: [toolkit/standard, ./stranger.mjs]\n',
});

describe('what the build has linked of the core tools and of the provider packages', () => {
  let installation = '';
  let plain: Listed;

  before(async () => {
    installation = await foldersForFile(copy);
    plain = await listed(installation);
  });

  it('is all that a start reads of what the build knows', async () => {
    const { tools, read } = await listed(path.resolve('.'));
    expect(read).to.deep.equal(['core.forms', 'packages.forms']);
    expect(tools).to.have.length.greaterThan(200);
  });

  it('gives the same tools as linking them', async () => {
    const linked = await listed(installation, stranger(installation));
    expect(linked.read).to.include('core.values');
    expect(linked.tools).to.deep.equal(plain.tools);
  });

  it('does not stand in for a definition that has changed', async () => {
    const file = path.join(installation, 'dist/tools/core/time/time_now.yaml');
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace(/^description: >-$/m, 'description: >-\n  Something else.'));
    const { tools } = await listed(installation);
    await writeFile(file, text);
    expect(tools.find(({ name }) => name === 'time_now')?.description).to.match(/^Something else\. Tells/);
    expect(tools).to.have.lengthOf(plain.tools.length);
  });

  for (const name of ['core.forms', 'core.values'])
    it(`is passed over when a byte of ${name} is another`, async () => {
      const folder = path.join(installation, 'dist/manifests');
      const kept = new Map<string, Buffer>();
      // The values are looked into when the forms do not hold.
      for (const file of new Set(['core.forms', name])) {
        const content = await readFile(path.join(folder, file));
        kept.set(file, content);
        const broken = Buffer.from(content);
        const at = content.indexOf('Gives the current');
        broken[at < 0 ? content.length - 40 : at] = 0x67;
        await writeFile(path.join(folder, file), broken);
      }
      const { tools } = await listed(installation);
      for (const [file, content] of kept) await writeFile(path.join(folder, file), content);
      expect(tools).to.deep.equal(plain.tools);
    });
});
