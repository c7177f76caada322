import path from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { configPath, type Entry, linesFor, newConfig, standardEntry } from '../../../../../plugins/cli/commands/new/config-entry.ts';
import type { Project } from '../../../../../plugins/cli/commands/new/project.ts';

const home = path.resolve('/work of/ada');
const project = (toolPaths: readonly string[] = []): Project =>
  ({ home, toolPaths, toolFolder: path.join(home, 'tools') }) as unknown as Project;
const plugin: Entry = { module: './plugins/loud/index.js', factory: 'loud', from: './plugins/loud/index.js', options: { slowMs: 500 } };

describe('entries of a configuration', () => {
  const lines: readonly [file: string, entry: Entry, lines: readonly string[]][] = [
    ['toolkit.config.ts', standardEntry(project(), path.join(home, 'tools')), ["standard({ toolPaths: ['./tools'] }),"]],
    ['toolkit.config.mjs', plugin, ["import loud from './plugins/loud/index.js';", 'loud({ slowMs: 500 }),']],
    ['toolkit.config.yaml', plugin, ['- [./plugins/loud/index.js, { slowMs: 500 }]']],
    ['.toolkitrc', standardEntry(project(), path.join(home, 'tools')), ['- [toolkit/standard, { toolPaths: [./tools] }]']],
    ['toolkit.config.json', plugin, ['["./plugins/loud/index.js", { "slowMs": 500 }]']],
    ['package.json', standardEntry(project(), path.join(home, 'tools')), ['["toolkit/standard", { "toolPaths": ["./tools"] }]']],
  ];
  for (const [file, entry, expected] of lines) {
    it(`are written as ${file} takes them: ${entry.module}`, () => {
      expect(linesFor(file, entry)).to.deep.equal(expected);
    });
  }

  it('keep the tool paths that are there, and name none twice', () => {
    expect(standardEntry(project(['./a']), path.join(home, 'tools')).options).to.deep.equal({ toolPaths: ['./a', './tools'] });
    expect(standardEntry(project(['./tools']), path.join(home, 'tools')).options).to.deep.equal({ toolPaths: ['./tools'] });
  });

  it('name a folder of any name so that YAML and JavaScript read it as it is', async () => {
    const folder = path.join(home, "ada's, tools: #1");
    const entry = standardEntry(project(), folder);
    const { file, text } = await newConfig(project(), [entry]);
    expect(file).to.equal(path.join(home, 'toolkit.config.yaml'));
    expect(parse(text)).to.deep.equal({ plugins: [['toolkit/standard', { toolPaths: ["./ada's, tools: #1"] }]] });
    expect(linesFor('toolkit.config.ts', entry)).to.deep.equal(["standard({ toolPaths: ['./ada\\'s, tools: #1'] }),"]);
  });

  it('name a folder elsewhere from the configuration', () => {
    expect(configPath(project(), path.resolve('/work of/tools'))).to.equal('../tools');
  });
});
