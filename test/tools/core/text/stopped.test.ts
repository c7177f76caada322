import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { Toolkit } from '../../../../plugins/toolkit/index.ts';
import { memoryLogger } from '../../../../plugins/toolkit/testing.ts';
import { stopped } from '../../../support/stopped.ts';

const group = path.resolve('tools/core/text');
const text = `${'a'.repeat(60)}!`;
const pattern = '^(a+)+$';
const list = Array.from({ length: 100 }, (_, index) => index + 1);

const stuck = [
  { tool: 'text_regex_match', harmless: { text, pattern: 'b' }, endless: { text, pattern } },
  { tool: 'text_regex_replace', harmless: { text, pattern: 'b', replacement: '' }, endless: { text, pattern, replacement: '' } },
  { tool: 'text_split', harmless: { text, separator: 'b' }, endless: { text, separator: pattern, regex: true } },
  {
    tool: 'text_render_template',
    harmless: { template: '', data: {} },
    endless: { template: `${'{{#list}}'.repeat(20)}${'{{/list}}'.repeat(20)}`, data: { list } },
  },
];

describe('text tools that could run for years', () => {
  let folder: string;
  let toolkit: Toolkit;
  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'toolkit-test-'));
    for (const { tool } of stuck) {
      const { execution, ...rest } = parse(await readFile(path.join(group, `${tool}.yaml`), 'utf8')) as { execution: { code: string } };
      const hurried = { ...execution, code: path.join(group, execution.code), timeout_ms: 2000 };
      await writeFile(path.join(folder, `${tool}.yaml`), JSON.stringify({ ...rest, name: `hurried_${tool}`, execution: hurried }));
    }
    toolkit = await Toolkit.init({ logger: memoryLogger(), toolPaths: [folder] });
  });
  after(async () => {
    await toolkit?.close();
    await rm(folder, { recursive: true, force: true });
  });

  for (const { tool, harmless, endless } of stuck) {
    it(`${tool} ends with TIMEOUT, and other calls are answered meanwhile`, async () => {
      // A thread that runs already, so that the time limit meets the work and not its start.
      await toolkit.execute(tool, harmless);
      const error = await stopped(
        2000,
        () => toolkit.execute(`hurried_${tool}`, endless),
        async () => {
          expect(await toolkit.execute('text_count', { text })).to.include({ characters: 61 });
          expect(await toolkit.execute('encode_base64', { text: 'a' })).to.deep.equal({ encoded: 'YQ==' });
        },
      );
      expect(error.message).to.include('was stopped');
      expect(await toolkit.execute(tool, harmless)).to.be.an('object');
    });
  }
});
