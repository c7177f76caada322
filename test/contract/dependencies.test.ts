import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { glob } from 'tinyglobby';
import { bundleOptions } from '../../plugins/toolkit/bundle-options.mjs';
import { circlesOf } from './circles.ts';
import { type Import, importsOf } from './imports.ts';

const top = (file: string): string => file.split(path.sep)[0] ?? '';
const plugin = (file: string): string => file.split(path.sep)[1] ?? '';
const isOurs = (file: string): boolean => ['kernel', 'plugins', 'tools', 'test', 'fixtures'].includes(top(file));
const shown = (imports: readonly Import[]): string[] => imports.map(({ from, to }) => `${from} -> ${to}`);

describe('dependencies between folders', () => {
  it('lead from the kernel to nothing of ours', async () => {
    const imports = await importsOf('kernel/**/*.ts');
    expect(imports.length).to.be.greaterThan(50);
    expect(shown(imports.filter(({ to }) => isOurs(to) && top(to) !== 'kernel'))).to.deep.equal([]);
  });

  it('lead from a plugin to the kernel by its front door, to plugins/shared and to itself', async () => {
    const imports = (await importsOf('plugins/**/*.ts')).filter(({ from }) => plugin(from) !== 'toolkit');
    expect(imports.length).to.be.greaterThan(50);
    const wrong = imports.filter(({ from, to }) => {
      if (!isOurs(to)) return false;
      if (top(to) === 'kernel') return to !== path.join('kernel', 'index.ts');
      return top(to) !== 'plugins' || (plugin(to) !== plugin(from) && plugin(to) !== 'shared');
    });
    expect(shown(wrong)).to.deep.equal([]);
  });

  it('lead from a tool to the kernel, from a core tool to plugins/shared as well, and to other plugins for types only', async () => {
    const imports = await importsOf('tools/**/*.ts');
    expect(imports.length).to.be.greaterThan(5);
    const shared = path.join('plugins', 'shared');
    const wrong = imports.filter(({ from, to, isType }) => {
      if (!isOurs(to) || top(to) === 'tools' || to === path.join('kernel', 'index.ts')) return false;
      if (plugin(from) === 'core' && to.startsWith(shared + path.sep)) return false;
      return !(isType && top(to) === 'plugins');
    });
    expect(shown(wrong)).to.deep.equal([]);
  });

  it('lead to a framework that runs models from its own adapter alone, and the build leaves it outside', async () => {
    const own = { '@langchain/core': 'langchain', ai: 'ai-sdk', openai: 'openai', '@anthropic-ai/sdk': 'anthropic' };
    const imports = await importsOf('{kernel,plugins,tools}/**/*.{ts,js,mjs,cjs}');
    const { external } = await bundleOptions(process.cwd());
    for (const [name, adapter] of Object.entries(own)) {
      const users = imports.filter(({ to }) => to === name || to.startsWith(`${name}/`)).map(({ from }) => plugin(from));
      expect([...new Set(users)], name).to.deep.equal([`adapter-${adapter}`]);
      expect(external).to.include.members([name, `${name}/*`]);
    }
  });

  it('keep the libraries of tools out of the start: tools import them when they are called', async () => {
    const files = await glob(['tools/**/*.ts'], { ignore: ['**/node_modules/**'] });
    const eager = await Promise.all(
      files.map(async (file) =>
        [...(await readFile(file, 'utf8')).matchAll(/\nimport (?!type)[^;]*from '([^.'][^']*)'/g)].map((match) => `${file} -> ${match[1]}`),
      ),
    );
    expect(eager.flat().filter((line) => !line.includes('-> node:'))).to.deep.equal([]);
  });

  it('lead in no circle from a file to itself, types included', async () => {
    const imports = await importsOf('{kernel,plugins,tools,test,fixtures}/**/*.{ts,js,mjs,cjs}', 'toolkit.config.ts');
    expect(imports.length).to.be.greaterThan(2000);
    expect(circlesOf(imports).map((circle) => [...new Set(shown(circle))])).to.deep.equal([]);
  });
});
