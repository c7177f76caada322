import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { executorCommand } from '../../../../plugins/executor-command/index.ts';
import { watchedFolders } from '../../../../plugins/shared/folder-watch/watched-folders.ts';
import { skillFiles } from '../../../../plugins/skill-files/index.ts';
import { toolFiles } from '../../../../plugins/tool-files/index.ts';
import { toolPackages } from '../../../../plugins/tool-packages/index.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { bareKernel } from '../../../support/test-kernel.ts';

const tool = (name: string): string => `name: ${name}\ndescription: Does it.\nexecution: { type: command, command: "true" }\n`;

describe('the folders that are watched', () => {
  it('are the configured ones, each once, and packages that lie in the project itself', async () => {
    const cwd = await temporaryFolder({
      'package.json': JSON.stringify({ workspaces: ['packages/*'], dependencies: { '@toolkit/installed': '1' } }),
      'tools/a.yaml': tool('a'),
      'tools/deep/b.yaml': tool('b'),
      'packages/shop/definition.yaml': 'provider: { name: shop }\n',
      'packages/shop/orders/c.yaml': tool('c'),
      'packages/broken/d.yaml': 'name: [broken',
      'node_modules/@toolkit/installed/e.yaml': tool('e'),
    });
    for (const name of ['shop', 'broken'])
      await symlink(path.join(cwd, 'packages', name), path.join(cwd, 'node_modules/@toolkit', name), 'dir');
    await mkdir(path.join(cwd, 'skills'));
    const kernel = await bareKernel({
      cwd,
      plugins: [
        executorCommand(),
        toolFiles({ toolPaths: ['tools', './tools/deep', 'later'] }),
        skillFiles({ skillPaths: ['skills'] }),
        toolPackages({ python: false }),
      ],
    });
    expect(kernel.registry.tools.has('e')).to.equal(true);
    const folders = watchedFolders(kernel, cwd).map((folder) => path.relative(cwd, folder));
    expect(folders).to.deep.equal(['later', 'packages/broken', 'packages/shop', 'skills', 'tools']);
  });

  it('are none where nothing is configured', async () => {
    const cwd = await temporaryFolder();
    expect(watchedFolders(await bareKernel({ cwd, plugins: [toolFiles()] }), cwd)).to.deep.equal([]);
  });
});
