import { expect } from 'chai';
import { parse } from 'yaml';
import { type OpenapiOptions, openapi } from '../../plugins/openapi/index.ts';
import { standard } from '../../plugins/toolkit/index.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { bareKernel } from '../support/test-kernel.ts';
import { filesOf, readGuide } from './guide.ts';

const blocks = await readGuide('plugins/toolkit/OPENAPI.md');
const files = filesOf(blocks);

/** A kernel with the document of the guide. */
async function guideKernel(source: Readonly<Record<string, string>> = {}) {
  const { plugins } = parse(files['toolkit.config.yaml'] ?? '') as { plugins: readonly [string, [string, OpenapiOptions]] };
  const [preset, [plugin, { sources }]] = plugins;
  expect([preset, plugin]).to.deep.equal(['toolkit/standard', 'toolkit/plugins/openapi']);
  const library = { ...sources?.['library'], ...source } as { document: string };
  const listed = [standard({ includeCore: false, autoDiscover: false }), openapi({ sources: { library } })];
  return bareKernel({ cwd: await temporaryFolder(files), plugins: listed as never });
}

describe('the guide to OpenAPI documents', () => {
  it('has a document and a configuration that give its tools', async () => {
    const { registry } = await guideKernel();
    expect(registry.problems).to.deep.equal([]);
    expect([...registry.tools.values()].map(({ name, risk }) => [name, risk])).to.deep.equal([
      ['library_get_book', 'low'],
      ['library_remove_book', 'high'],
    ]);
    const credentials = registry.tools.get('library_get_book')?.credentials.map(({ secret }) => secret);
    expect(credentials).to.deep.equal(['LIBRARY_TOKEN']);
  });

  it('has an overlay that changes one tool and removes the other', async () => {
    const { registry } = await guideKernel({ overlay: './library.overlay.yaml' });
    expect(registry.problems).to.deep.equal([]);
    expect([...registry.tools.values()].map(({ name, description }) => [name, description.slice(0, 26)])).to.deep.equal([
      ['library_get_book', 'Get a book by its ISBN. Se'],
    ]);
  });

  it('names commands and flags that exist', () => {
    const { commands = [] } = openapi();
    const lines = blocks.flatMap(({ code }) => code.split('\n')).filter((line) => /^\$ toolkit openapi /.test(line));
    expect(lines.length).to.be.greaterThan(5);
    for (const line of lines) {
      const [, , group, name, ...words] = line.split(' ');
      const command = commands.find((one) => one.name === `${group} ${name}`);
      expect(command, line).not.to.equal(undefined);
      const flags = (command?.flags ?? []).map(({ flag }) => flag.split(' ')[0]);
      for (const word of words.filter((one) => one.startsWith('--'))) expect(flags, line).to.include(word);
    }
  });
});
