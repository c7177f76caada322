import { execFileSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { ToolkitOptions } from '../../../plugins/toolkit/index.ts';
import { rejection } from '../../support/rejection.ts';
import { githubToolkit, installedToolkit, packageFolder, token } from './github-toolkit.ts';

const names = ['github_create_issue', 'github_get_repository', 'github_list_issues'];

describe('@toolkit/github', () => {
  it('is found in node_modules, whole and without a warning', async () => {
    const toolkit = await installedToolkit();
    const tools = toolkit.listTools().filter(({ provider }) => provider?.name === 'github');
    expect(tools.map(({ name }) => name)).to.deep.equal(names);
    expect(toolkit.kernel.registry.problems.filter(({ file }) => file?.startsWith(packageFolder))).to.deep.equal([]);
  });

  it('publishes every definition, the skill, the README and nothing else', async () => {
    const packed = execFileSync('npm', ['pack', '--dry-run', '--json'], {
      cwd: packageFolder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [{ files }] = JSON.parse(packed) as [{ files: { path: string }[] }];
    const written = (await readdir(packageFolder)).filter((file) => file.endsWith('.yaml'));
    expect(files.map((file) => file.path).sort()).to.deep.equal(
      ['README.md', 'SKILL.md', 'manifest.json', 'package.json', ...written].sort(),
    );
  });

  it('depends on toolkit as a peer and on nothing else', async () => {
    const manifest = JSON.parse(await readFile(path.join(packageFolder, 'package.json'), 'utf8')) as Record<string, unknown>;
    expect(manifest).to.include({ name: '@toolkit/github', license: 'MIT', type: 'module' });
    expect(manifest['peerDependencies']).to.deep.equal({ toolkit: '>=0.1.0' });
    expect(manifest).to.not.have.any.keys('dependencies', 'optionalDependencies', 'scripts');
  });

  it('shows no credential in a published schema', async () => {
    const toolkit = await installedToolkit();
    for (const name of names) {
      const { inputSchema, outputSchema, credentials } = toolkit.kernel.registry.get(name);
      expect(credentials).to.deep.equal([{ name: 'GITHUB_TOKEN', secret: 'GITHUB_TOKEN', required: true, isSecret: true }]);
      expect(JSON.stringify([inputSchema, outputSchema])).to.not.include('GITHUB_');
    }
  });

  it('declares which risk each tool carries and that none needs approval', async () => {
    const toolkit = await installedToolkit();
    const declared = names
      .map((name) => toolkit.kernel.registry.get(name))
      .map(({ risk, definition }) => [risk, definition.requires_approval]);
    expect(declared).to.deep.equal([
      ['medium', undefined],
      ['low', undefined],
      ['low', undefined],
    ]);
  });

  it('says how to get the token that is missing', async () => {
    const toolkit = await installedToolkit({ env: {} });
    const error = await rejection(
      toolkit.execute('github_get_repository', { owner: 'octo-org', repo: 'hello-world' }),
      'MISSING_PARAMETER',
    );
    expect(error.message)
      .to.match(/^Missing required parameter: GITHUB_TOKEN\./)
      .and.to.include('https://docs.github.com/en/rest');
  });

  it('takes the token from TOOLKIT_GITHUB_TOKEN before GITHUB_TOKEN, and from the call before both', async () => {
    const { toolkit, github } = await githubToolkit({}, { env: { TOOLKIT_GITHUB_TOKEN: token, GITHUB_TOKEN: 'ghp_other' } });
    const parameters = { owner: 'octo-org', repo: 'hello-world' };
    await toolkit.execute('github_get_repository', parameters);
    await rejection(toolkit.execute('github_get_repository', { ...parameters, GITHUB_TOKEN: 'ghp_of_the_call' }), 'AUTH_FAILED');
    expect(github.requests.map(({ headers }) => headers.authorization)).to.deep.equal([`Bearer ${token}`, 'Bearer ghp_of_the_call']);
  });

  it('runs the example of its README', async () => {
    const { toolkit, github } = await githubToolkit();
    const readme = await readFile(path.join(packageFolder, 'README.md'), 'utf8');
    const code = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
    const asked: ToolkitOptions[] = [];
    const init = async (options: ToolkitOptions): Promise<unknown> => {
      asked.push(options);
      return toolkit;
    };
    const AsyncFunction = (async () => {}).constructor as new (...args: string[]) => (given: { init: typeof init }) => Promise<unknown>;
    const run = new AsyncFunction('Toolkit', `${code.replace(/^import .*$/m, '')}; return { issues, issue };`);
    const { issues, issue } = (await run({ init })) as { issues: { title: string }[]; issue: { title: string; number: number } };
    expect(asked).to.deep.equal([{ autoDiscover: true }]);
    expect(issues.map(({ title }) => title)).to.deep.equal(['Crash on empty input', 'Slow start']);
    expect(issue).to.include({ title: 'Login fails with a blank page', number: 8 });
    expect(github.requests).to.have.lengthOf(2);
  });
});
