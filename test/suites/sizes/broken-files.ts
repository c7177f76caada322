import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { fileKernel, namesOf, toolYaml } from '../../plugins/tool-files/tool-folder.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { brokenFiles, shown } from './ground.ts';

const broken = [
  'name: [a\n',
  '? {a: b}\n: c\n',
  'name: a\nexecuton: { type: command }\n',
  'name: &a [*a]\n',
  '? '.repeat(100),
  `execution: ${'['.repeat(5000)}`,
  toolYaml('bad', 'risk: extreme\n').replaceAll('\n', '\r'),
  toolYaml('bad', 'parameters: { a: { type: string, pattern: "(" } }\n'),
];

export function testBrokenFiles(): void {
  it(`10 good files among ${shown(brokenFiles)} broken ones give 10 tools, and all others are named`, async () => {
    const good = Array.from({ length: 10 }, (_, n) => [`good/${n}.yaml`, toolYaml(`good_${n}`)] as const);
    const folder = await temporaryFolder(Object.fromEntries(good));
    await mkdir(path.join(folder, 'bad'));
    const files = Array.from({ length: brokenFiles }, (_, n) => path.join(folder, 'bad', `${n}.yaml`));
    for (const [n, file] of files.entries()) await writeFile(file, broken[n % broken.length] ?? '');
    const kernel = await fileKernel([folder]);
    expect(namesOf(kernel)).to.have.length(10);
    const named = new Set(kernel.registry.problems.filter(({ severity }) => severity === 'error').map(({ file }) => file));
    expect(files.filter((file) => !named.has(file))).to.deep.equal([]);
  });
}
