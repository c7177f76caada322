import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { Problem } from '../../../kernel/index.ts';
import { writeManifest } from '../../../plugins/shared/definition-files/manifest.ts';
import { scanDirectory } from '../../../plugins/shared/definition-files/scan-directory.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { temporaryFolder } from '../../support/temporary.ts';

const text = 'name: from_yaml\ndescription: d\nexecution:\n  type: function\n';

async function namesIn(folder: string): Promise<{ names: string[]; lines: (number | undefined)[] }> {
  const names: string[] = [];
  const lines: (number | undefined)[] = [];
  const problems: Omit<Problem, 'plugin'>[] = [];
  await scanDirectory(
    folder,
    'package',
    {
      isCodeStale: false,
      addTool: (definition, origin) => {
        names.push((definition as { name: string }).name);
        lines.push(origin?.locate?.('/execution/type')?.line);
      },
      addProvider: () => {},
      overrideProvider: () => {},
      addSkill: () => {},
      addResource: () => {},
      addResourceTemplate: () => {},
      addPrompt: () => {},
      addProblem: (problem) => void problems.push(problem),
    },
    memoryLogger(),
  );
  expect(problems).to.deep.equal([]);
  return { names, lines };
}

describe('a manifest beside definition files', () => {
  it('gives the value of a file without parsing it, and its lines all the same', async () => {
    const folder = await temporaryFolder({ 'tool.yaml': text });
    await writeManifest(folder, [{ text, value: { name: 'from_manifest', description: 'd', execution: { type: 'function' } } }]);
    expect(await namesIn(folder)).to.deep.equal({ names: ['from_manifest'], lines: [4] });
  });

  it('does not know a file that has changed since', async () => {
    const folder = await temporaryFolder({ 'tool.yaml': text });
    await writeManifest(folder, [{ text, value: { name: 'from_manifest', description: 'd', execution: {} } }]);
    await appendFile(path.join(folder, 'tool.yaml'), '# edited\n');
    expect((await namesIn(folder)).names).to.deep.equal(['from_yaml']);
  });

  for (const broken of ['{', '[]', 'null', '{"constructor":1}']) {
    it(`changes nothing when it holds ${broken}`, async () => {
      const folder = await temporaryFolder({ 'tool.yaml': text, 'manifest.json': broken });
      expect((await namesIn(folder)).names).to.deep.equal(['from_yaml']);
    });
  }
});
