import { expect } from 'chai';
import { describeTool } from '../../../../../plugins/cli/commands/describe/describe-tool.ts';
import { toolPage } from '../../../../../plugins/cli/commands/describe/tool-page.ts';
import { executorCommand } from '../../../../../plugins/executor-command/index.ts';
import { testKernel } from '../../../../support/test-kernel.ts';

describe('the rights of programs', () => {
  const cases = [
    { title: 'the network', keys: { network: true }, rights: { network: true, writes: [] }, shown: 'reaches the network' },
    {
      title: 'folders',
      keys: { writes: ['git', 'packages'] },
      rights: { network: false, writes: ['git', 'packages'] },
      shown: 'writes git, packages',
    },
    { title: 'nothing', keys: { network: false }, rights: { network: false, writes: [] }, shown: 'no rights beyond the roots' },
  ];
  for (const { title, keys, rights, shown } of cases) {
    it(`are described: ${title}`, async () => {
      const execution = { type: 'command', command: 'true', ...keys };
      const kernel = await testKernel({ plugins: [executorCommand()], tools: [{ name: 'probe', description: 'x', execution }] });
      const tool = kernel.registry.get('probe');
      const described = await describeTool(tool, kernel);
      expect(described.program_rights).to.deep.equal(rights);
      expect(await toolPage(tool, described, { columns: 200, color: false } as never, new Set())).to.match(
        new RegExp(`In a sandbox +${shown}`),
      );
    });
  }

  it('are not mentioned where a definition says nothing of them', async () => {
    const kernel = await testKernel({
      plugins: [executorCommand()],
      tools: [{ name: 'probe', description: 'x', execution: { type: 'command', command: 'true' } }],
    });
    expect((await describeTool(kernel.registry.get('probe'), kernel)).program_rights).to.equal(null);
  });
});
