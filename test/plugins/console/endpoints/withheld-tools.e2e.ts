import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { Kernel } from '../../../../kernel/index.ts';
import { sourcesEndpoints } from '../../../../plugins/console/endpoints/sources.ts';
import type { SourcesPage } from '../../../../plugins/console/wire/sources.ts';
import { temporaryFolder, writeFiles } from '../../../support/temporary.ts';
import { until } from '../../../support/until.ts';
import { projectKernel, run, smallProject } from '../../lock-file/project.ts';
import { kernelWith, stdioServer } from '../../upstreams/kernel-with.ts';
import { askEndpoint } from './ask-endpoint.ts';

const pageOf = (kernel: Kernel): Promise<SourcesPage> => askEndpoint(sourcesEndpoints, 'GET sources', kernel);

describe('what is withheld, on the console', () => {
  it('has the tools that differ from the lock, with the command that accepts each', async () => {
    const folder = await temporaryFolder();
    await writeFiles(folder, smallProject);
    await run(folder, 'lock');
    await writeFiles(folder, { 'tools/hello.js': "export const hello = () => 'changed';\n" });
    await using kernel = await projectKernel(folder);
    const { withheldTools, changes } = await pageOf(kernel);
    expect([withheldTools.map(({ tool }) => tool), changes]).to.deep.equal([['greet'], []]);
    expect(withheldTools[0]?.reason).to.include('differs from toolkit.lock').and.include('"toolkit accept greet"');
  });

  it('has the changed tools of an MCP server; an accepted one is in the lock, and is served after a restart', async () => {
    const folder = await temporaryFolder();
    const lock = (): Promise<string> => readFile(path.join(folder, 'toolkit.lock.d', 'shop.upstream.json'), 'utf8');
    const kernel = await kernelWith({ shop: stdioServer('plain') }, folder);
    for (const tool of ['echo', 'who']) {
      const parameters = { tool, members: { description: `The other ${tool}.` } };
      await kernel.call({ tool: 'shop_change', parameters, caller: 'ada' });
    }
    await until(() => (kernel.sources.pending().length === 2 ? true : undefined));
    const { changes, withheldTools } = await pageOf(kernel);
    expect(withheldTools).to.deep.equal([]);
    const echo = changes.find(({ name }) => name === 'shop_echo');
    expect(echo?.difference.filter(({ kind }) => kind !== 'same').map(({ text }) => text)).to.include.members([
      'description: The tool echo.',
      'description: The other echo.',
    ]);
    expect(await lock()).to.not.include('The other');
    const body = { changes: [{ name: 'shop_echo', digest: echo?.digest }] };
    const values = { name: 'shop' };
    await askEndpoint(sourcesEndpoints, 'POST sources/{name}/accept', kernel, { values, body });
    expect(kernel.registry.tools.get('shop_echo')?.description).to.equal('The other echo.');
    expect(await lock())
      .to.include('The other echo.')
      .and.not.include('The other who.');
    await kernel.close();
    const restarted = await kernelWith({ shop: stdioServer('plain', { pin: 'lock' }) }, folder);
    expect(restarted.registry.tools.get('shop_echo')?.description).to.equal('The other echo.');
    expect(restarted.registry.tools.get('shop_who')?.description).to.equal('The tool who.');
  });
});
