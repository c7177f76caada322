import { spawnSync } from 'node:child_process';
import { chown, readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { readService } from '../../suites/docker/compose.ts';
import { temporaryFolder } from '../../support/temporary.ts';

/** The commands of "A second account", with numbers for the accounts, which need not be there. */
async function commands(owner: number, server: number): Promise<string> {
  const text = await readFile('plugins/toolkit/OPERATING.md', 'utf8');
  const [, script = ''] = /## A second account[\s\S]*?```sh\n([\s\S]*?)```/.exec(text) ?? [];
  return script.replaceAll('toolkit-owner:toolkit', `${owner}:${server}`).replaceAll('toolkit:toolkit', `${server}:${server}`);
}

describe('a second account', () => {
  it('is set up by commands that a shell understands', async () => {
    const script = await commands(1, 2);
    expect(script).to.include('chmod 3770 work');
    expect(spawnSync('sh', ['-n', '-c', script]).status).to.equal(0);
  });

  it('keeps definitions, packages and .git from the account of the server', async () => {
    // Only the superuser gives files away.
    if (process.getuid?.() !== 0 || process.platform !== 'linux') return;
    const [owner, server] = [61_001, 61_002];
    const folder = await temporaryFolder({
      'toolkit.config.yaml': '',
      'tools/a.yaml': '',
      'node_modules/x/index.js': '',
      'work/.git/config': '',
      'work/data.txt': '',
    });
    await chown(folder, owner, server);
    expect(spawnSync('sh', ['-e', '-c', await commands(owner, server)], { cwd: folder }).stderr.toString()).to.equal('');
    const asServer = (script: string): number | null => spawnSync('sh', ['-c', script], { cwd: folder, uid: server, gid: server }).status;
    const refused = ['echo >> tools/a.yaml', 'echo > tools/b.yaml', 'rm toolkit.config.yaml', 'echo >> node_modules/x/index.js'];
    const inWork = ['echo >> work/.git/config', 'mv work/.git work/old', 'rm -r work/.git', 'mv work old'];
    for (const script of [...refused, ...inWork]) expect(asServer(script), script).not.to.equal(0);
    for (const script of ['cat tools/a.yaml work/.git/config', 'echo x >> work/data.txt', 'echo x > work/new', 'rm work/new'])
      expect(asServer(script), script).to.equal(0);
  });

  it('is that of the image: another one than the owner of packages and tools', async () => {
    const service = await readService('plugins/mcp/docker/compose.yaml', { TOOLKIT_MCP_TOKEN: 'x' });
    expect(service['user']).to.equal('1000:1000');
    expect(service['read_only']).to.equal(true);
    const tools = service.volumes.find((volume) => typeof volume !== 'string' && volume.target === '/toolkit/tools');
    expect(tools).to.include({ read_only: true });
    const dockerfile = await readFile('plugins/mcp/docker/Dockerfile', 'utf8');
    expect(dockerfile)
      .to.match(/^COPY --from=build \/toolkit \.\/$/m)
      .and.to.match(/^USER node$/m);
  });
});
