import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { glob } from 'tinyglobby';
import { formatProblem } from '../../kernel/index.ts';
import { executorCommand } from '../../plugins/executor-command/index.ts';
import { reservedKeys } from '../../plugins/shared/definition-files/reserved-keys.ts';
import { toolFiles } from '../../plugins/tool-files/index.ts';
import { additionalKeys, builtInKeysFile, builtInKeysText } from '../../plugins/toolkit/docs/built-in-keys.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { bareKernel, echoTool, testKernel } from '../support/test-kernel.ts';

/** The keys that plugins define with a schema of their own, as their sources say. */
async function definedKeys(): Promise<readonly string[]> {
  const files = await glob(['plugins/**/*.ts']);
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  return texts.flatMap((text) => [...text.matchAll(/\.definitionKey\('(\w+)', /g)].map(([, name]) => name ?? '')).sort();
}

const written = { name: 'echo', description: 'Echoes.', execution: { type: 'command', command: 'echo' } };

describe('the definition keys of built-in plugins', () => {
  it('are all reserved, except those that only add to what a person sees', async () => {
    expect([...Object.keys(reservedKeys), ...additionalKeys].sort()).to.deep.equal(await definedKeys());
  });

  for (const name of additionalKeys)
    it(`load with a warning where the plugin of ${name} is missing`, async () => {
      const folder = await temporaryFolder({ 'echo.yaml': JSON.stringify({ ...written, [name]: {} }) });
      const { registry } = await bareKernel({ plugins: [executorCommand(), toolFiles({ toolPaths: [folder] })] });
      expect(registry.problems.map(({ severity, path }) => [severity, path])).to.deep.equal([['warning', name]]);
      expect([...registry.tools.keys()]).to.deep.equal(['echo']);
    });

  it('are in the file that is made of them', async () => {
    const isCurrent = (await readFile(builtInKeysFile, 'utf8')) === (await builtInKeysText());
    expect(isCurrent, `${builtInKeysFile} is stale: run "npm run docs" and commit what it writes`).to.equal(true);
  });

  for (const [name, { on = 'tool' }] of Object.entries(reservedKeys).filter(([, { on: where }]) => where !== 'provider'))
    it(`refuse a ${on === 'both' ? 'tool or provider' : on} that says ${name} where its plugin is missing, by name`, async () => {
      const folder = await temporaryFolder({ 'echo.yaml': JSON.stringify({ ...written, [name]: {} }) });
      const { registry } = await bareKernel({ plugins: [executorCommand(), toolFiles({ toolPaths: [folder] })] });
      expect(registry.problems.map(formatProblem).join()).to.include(
        `${name}: is declared, but no plugin of this configuration enforces it`,
      );
      expect(registry.tools.size).to.equal(0);
    });
});

describe('a definition key of a plugin', () => {
  it('that is there counts in the hint for one that is mistyped', async () => {
    const { limitRate } = await import('../../plugins/limit-rate/index.ts');
    const { registry } = await testKernel({ tools: [echoTool({ rate_limt: {} })], plugins: [limitRate()] });
    expect(registry.problems.map(formatProblem).join()).to.include('rate_limt: is not known here. Did you mean "rate_limit"?');
  });

  it('that another plugin has defined is refused', async () => {
    const { apiVersion, definePlugin } = await import('../../kernel/index.ts');
    const { limitRate } = await import('../../plugins/limit-rate/index.ts');
    const { rejection } = await import('../support/rejection.ts');
    const twin = definePlugin({
      name: 'twin',
      apiVersion,
      apply: ({ extend }) => void extend.definitionKey('rate_limit', { type: 'object' } as never),
    });
    const error = await rejection(testKernel({ plugins: [limitRate(), twin()] }), 'PLUGIN_INVALID');
    expect(error.message).to.include('Plugin "twin" adds the definition key "rate_limit", which another plugin has added');
  });

  it('whose check finds a warning leaves the tool usable', async () => {
    const { apiVersion, definePlugin } = await import('../../kernel/index.ts');
    const Type = (await import('typebox')).default;
    const advising = definePlugin({
      name: 'advising',
      apiVersion,
      apply: ({ extend }) =>
        void extend.definitionKey('volume', Type.Integer(), {
          check: (volume) => [
            { path: 'volume', pointer: '/volume', message: 'is loud', severity: 'warning' as const },
            ...(volume > 10 ? [{ path: 'volume', pointer: '/volume', message: 'is too loud' }] : []),
          ],
        }),
    });
    const { registry } = await testKernel({
      tools: [echoTool({ name: 'loud', volume: 9 }), echoTool({ name: 'louder', volume: 11 })],
      plugins: [advising()],
    });
    expect(registry.problems.map(({ tool, severity, message }) => [tool, severity, message])).to.have.deep.members([
      ['loud', 'warning', 'is loud'],
      ['louder', 'warning', 'is loud'],
      ['louder', 'error', 'is too loud'],
    ]);
    expect([...registry.tools.keys()]).to.deep.equal(['loud']);
  });
});
