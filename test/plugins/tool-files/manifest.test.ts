import { appendFile, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { Problem } from '../../../kernel/index.ts';
import { parseDefinition } from '../../../plugins/shared/definition-files/definition-text.ts';
import { builtManifest, type KnownValues, readManifest, writeManifest } from '../../../plugins/shared/definition-files/manifest.ts';
import { scanDirectory } from '../../../plugins/shared/definition-files/scan-directory.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { temporaryFolder } from '../../support/temporary.ts';

const text = 'name: from_yaml\ndescription: d\nexecution:\n  type: function\n';

async function namesIn(folder: string, known?: KnownValues): Promise<{ names: string[]; lines: (number | undefined)[] }> {
  const names: string[] = [];
  const lines: (number | undefined)[] = [];
  const problems: Omit<Problem, 'plugin'>[] = [];
  await scanDirectory(
    folder,
    {
      isCodeStale: false,
      isShown: false,
      opened: () => {},
      pinned: () => {},
      unseen: () => {},
      schemaVersion: '',
      addTool: (definition, origin) => {
        names.push((definition as { name: string }).name);
        lines.push(origin?.locate?.('/execution/type')?.line);
      },
      addProvider: () => {},
      addCached: () => {},
      onLinked: () => {},
      derive: () => {},
      overrideProvider: () => {},
      addSkill: () => {},
      addResource: () => {},
      addResourceTemplate: () => {},
      addPrompt: () => {},
      addProblem: (problem) => void problems.push(problem),
    },
    memoryLogger(),
    { trust: 'package', ...(known === undefined ? {} : { known }) },
  );
  expect(problems).to.deep.equal([]);
  return { names, lines };
}

const toolOf = (name: string): Readonly<Record<string, unknown>> => ({ name, description: 'd', execution: { type: 'function' } });

describe('the manifest of a build', () => {
  it('gives the value of a file without parsing it, and its lines all the same', async () => {
    const folder = await temporaryFolder({ 'tools/tool.yaml': text });
    const file = path.join(folder, 'built/core.json');
    await writeManifest(file, [{ text, value: toolOf('from_manifest') }]);
    const found = await namesIn(path.join(folder, 'tools'), await readManifest(file));
    expect(found).to.deep.equal({ names: ['from_manifest'], lines: [4] });
  });

  it('does not know a file that has changed since', async () => {
    const folder = await temporaryFolder({ 'tools/tool.yaml': text });
    const file = path.join(folder, 'core.json');
    await writeManifest(file, [{ text, value: toolOf('from_manifest') }]);
    await appendFile(path.join(folder, 'tools/tool.yaml'), '# edited\n');
    expect((await namesIn(path.join(folder, 'tools'), await readManifest(file))).names).to.deep.equal(['from_yaml']);
  });

  for (const broken of ['{', '[]', 'null', '{"constructor":1}']) {
    it(`changes nothing when it holds ${broken}`, async () => {
      const folder = await temporaryFolder({ 'tools/tool.yaml': text, 'core.json': broken });
      const known = await readManifest(path.join(folder, 'core.json'));
      expect((await namesIn(path.join(folder, 'tools'), known)).names).to.deep.equal(['from_yaml']);
    });
  }

  it('knows what the definition files of this program hold, where it was built, and nothing else', async () => {
    const file = path.resolve('tools/core/definition.yaml');
    const own = await readFile(file, 'utf8');
    const known = await builtManifest('core');
    const parsed = parseDefinition(own, file);
    expect([undefined, 'value' in parsed ? JSON.stringify(parsed.value) : '']).to.include(JSON.stringify(known(own)));
    expect(known(text)).to.equal(undefined);
  });
});

describe('a manifest beside definition files', () => {
  it('is never believed: what was reviewed is what runs', async () => {
    const folder = await temporaryFolder({ 'tool.yaml': text });
    await writeManifest(path.join(folder, 'manifest.json'), [{ text, value: toolOf('from_manifest') }]);
    expect(await namesIn(folder)).to.deep.equal({ names: ['from_yaml'], lines: [4] });
  });
});
