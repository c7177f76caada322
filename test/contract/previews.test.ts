import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { globSync } from 'tinyglobby';
import { parse } from 'yaml';
import { checkValue, renderValue } from '../../kernel/index.ts';
import { type Preview, previewIssue } from '../../plugins/approvals/details/preview-definition.ts';
import { Toolkit } from '../../plugins/toolkit/index.ts';
import { memoryLogger } from '../../plugins/toolkit/testing.ts';

interface Written {
  readonly name: string;
  readonly preview?: Preview;
  readonly examples?: readonly { readonly parameters: Readonly<Record<string, unknown>> }[];
}

const files = globSync(['tools/**/*.yaml', '!**/node_modules/**']);
const written = files.map((file) => parse(readFileSync(file, 'utf8')) as Written).filter(({ preview }) => preview !== undefined);

const toolkit = await Toolkit.init({ autoDiscover: true, logger: memoryLogger() });
const { tools } = toolkit.kernel.registry;
await toolkit.close();

describe('the previews of shipped tools', () => {
  it('are there for deletions by id', () => {
    expect(written.map(({ name }) => name)).to.include.members([
      'hubspot_delete_contact',
      'github_delete_repository',
      'gmail_delete_message',
    ]);
  });

  for (const { name, preview, examples = [] } of written)
    it(`read what ${name} is about, with a tool of its provider that only reads and accepts the parameters`, () => {
      const [tool, reader] = [tools.get(name), tools.get(preview?.tool ?? '')];
      if (tool === undefined || reader === undefined) throw new Error(`there is no ${tool === undefined ? name : preview?.tool}`);
      expect(previewIssue(tool, reader)).to.equal(undefined);
      expect(examples.length).to.be.greaterThan(0);
      for (const { parameters } of examples) {
        const given = { ...defaultsOf(tool.definition.parameters), ...parameters } as Readonly<Record<string, unknown>>;
        const rendered = renderValue(preview?.parameters ?? {}, (placeholder) => given[placeholder]);
        expect(checkValue(reader.inputSchema, rendered)).to.deep.equal([]);
      }
    });
});

function defaultsOf(parameters: object | undefined): Readonly<Record<string, unknown>> {
  const entries = Object.entries((parameters ?? {}) as Readonly<Record<string, { readonly default?: unknown }>>);
  return Object.fromEntries(entries.flatMap(([name, { default: value }]) => (value === undefined ? [] : [[name, value]])));
}
