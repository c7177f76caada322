import { expect } from 'chai';
import { describeTool } from '../../../../../plugins/cli/commands/describe/describe-tool.ts';
import { toolPage } from '../../../../../plugins/cli/commands/describe/tool-page.ts';
import { confinePaths } from '../../../../../plugins/confine-paths/index.ts';
import { executorHttp } from '../../../../../plugins/executor-http/index.ts';
import { temporaryFolder } from '../../../../support/temporary.ts';
import { testKernel } from '../../../../support/test-kernel.ts';

const terminal = { columns: 200, colors: false, isInteractive: false } as never;

describe('toolkit describe: what becomes of an answer', () => {
  const rows = [
    { keys: { select: 'items[].id' }, words: 'shaped by items[].id' },
    { keys: { save_to: { parameter: 'file' }, annotations: { readOnlyHint: false } }, words: 'saved as a file where "file" is given' },
    { keys: { output_check: 'warn' }, words: 'returned even if it does not fit its schema' },
    { keys: { output_headers: ['ETag', 'Location'] }, words: 'shown with the headers ETag, Location' },
    { keys: { poll: { url: { header: 'Location' } } }, words: 'asked for until the service has it' },
    { keys: { output_check: 'off' }, words: 'not compared with its schema' },
    { keys: {}, words: undefined },
  ];
  for (const { keys, words } of rows)
    it(`is ${words ?? 'not said where the answer is the output'}`, async () => {
      const probe = {
        name: 'probe',
        description: 'Probes.',
        parameters: { file: { type: 'string', path: 'write' } },
        execution: { type: 'http', method: 'get', url: 'https://example.com/' },
        ...keys,
      };
      const kernel = await testKernel({ tools: [probe], plugins: [executorHttp(), confinePaths({ roots: [await temporaryFolder()] })] });
      const tool = kernel.registry.get('probe');
      const described = await describeTool(tool, kernel);
      const { annotations: _annotations, ...shown } = keys as { annotations?: unknown };
      expect(described.answer).to.deep.equal(words === undefined ? undefined : shown);
      const page = await toolPage(tool, described, terminal, new Set());
      if (words === undefined) expect(page).to.not.match(/^Answer/m);
      else expect(page).to.match(new RegExp(`Answer +${words.replaceAll(/[[\]]/g, '\\$&')}`));
    });
});
