import { expect } from 'chai';
import type { Kernel } from '../../../kernel/index.ts';
import { auditTrail } from '../../../plugins/audit-trail/index.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { makeSource } from '../../kernel/source/make-source.ts';
import { rejection } from '../../support/rejection.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { echoTool, testKernel } from '../../support/test-kernel.ts';
import { recordsIn } from '../audit-trail/audited.ts';
import { connect, failure } from '../mcp/support/client.ts';

const schema = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] };
const misfit = { id: 'x' };

interface Row {
  readonly output_check?: 'error' | 'warn' | 'off';
  readonly isOfSource: boolean;
  readonly becomes: 'error' | 'warn' | 'off';
}

const rows: readonly Row[] = [
  { isOfSource: false, becomes: 'error' },
  { isOfSource: true, becomes: 'warn' },
  ...(['error', 'warn', 'off'] as const).flatMap((check) => [
    { output_check: check, isOfSource: false, becomes: check },
    { output_check: check, isOfSource: true, becomes: check },
  ]),
];

/** A kernel with one tool that gives `{id: "x"}`, of a source or of the operator, and its log. */
async function kernelOf(
  { output_check, isOfSource }: Row,
  more: object = {},
): Promise<{ kernel: Kernel; name: string; warnings: () => string }> {
  const logger = memoryLogger();
  const warnings = (): string => logger.records.map(({ message }) => message).join('\n');
  const own = { output_schema: schema, ...(output_check === undefined ? {} : { output_check }), ...more };
  const execution = { type: 'function', handler: () => misfit };
  if (!isOfSource) return { kernel: await testKernel({ tools: [echoTool({ ...own, execution })], logger }), name: 'echo', warnings };
  // A tool of this source answers with its description, a text.
  const tool = { name: 'echo', description: 'Gives its parameters back.', execution: { type: 'made' }, ...own };
  return { kernel: await makeSource({ list: ({ sink }) => sink.addTool(tool) }, { logger }), name: 'made_echo', warnings };
}

describe('output_check', () => {
  for (const row of rows) {
    const { output_check, isOfSource, becomes } = row;
    const tool = `a tool of ${isOfSource ? 'a source' : 'the operator'} that says ${output_check ?? 'nothing'}`;

    it(`is ${becomes} for ${tool}`, async () => {
      const { kernel, name, warnings } = await kernelOf(row);
      if (becomes === 'error') await rejection(kernel.execute(name), 'OUTPUT_INVALID');
      else expect(await kernel.execute(name)).to.deep.equal(isOfSource ? 'Gives its parameters back.' : misfit);
      if (becomes === 'warn') expect(warnings()).to.include(`the output of "${name}" does not match its output_schema`);
      else expect(warnings()).to.not.include('does not match');
    });

    it(`promises ${becomes === 'error' ? 'its' : 'no'} schema over MCP for ${tool}`, async () => {
      const { kernel, name } = await kernelOf(row);
      const { client, call } = await connect(kernel);
      const listed = (await client.listTools()).tools.find((one) => one.name === name);
      const result = await call(name);
      expect(result).to.not.have.property('structuredContent');
      if (becomes === 'error') {
        expect(listed).to.have.property('outputSchema');
        failure(result, 'OUTPUT_INVALID');
      } else {
        expect(listed).to.not.have.property('outputSchema');
        expect(result).to.not.have.property('isError');
        expect(result.content).to.have.length(1);
      }
    });
  }

  for (const output_check of ['warn', 'off'] as const)
    it(`lets a call with an effect be done and recorded as done: ${output_check}`, async () => {
      const folder = await temporaryFolder();
      const tool = echoTool({
        execution: { type: 'function', handler: () => misfit },
        output_schema: schema,
        risk: 'medium',
        output_check,
      });
      const kernel = await testKernel({ tools: [tool], plugins: [auditTrail({ path: `${folder}/calls.jsonl` })] });
      expect(await kernel.execute('echo')).to.deep.equal(misfit);
      await kernel.close();
      expect((await recordsIn(`${folder}/calls.jsonl`)).map((record) => record['outcome']).filter(Boolean)).to.deep.equal(['completed']);
    });

  it('is refused with another word', async () => {
    const kernel = await testKernel({ tools: [echoTool({ output_schema: schema, output_check: 'never' })] });
    expect(kernel.registry.problems.map(({ message }) => message).join()).to.include('expected one of "error", "warn", "off"');
  });
});
