import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { PluginEntry } from '../../../kernel/index.ts';
import { confinePaths } from '../../../plugins/confine-paths/index.ts';
import { policyHuman } from '../../../plugins/policy-human/index.ts';
import { secretsEnv } from '../../../plugins/secrets-env/index.ts';
import { json, loopback } from '../../support/loopback.ts';
import { cloned } from '../../tools/core/git/remotes.ts';
import { packFolder } from '../../tools/packs.ts';
import { failure, textOf } from '../mcp/support/client.ts';
import { boundWorld, type World } from './bound-world.ts';

const elicit = { mode: 'elicit' } as const;

describe('what a built-in tool says that it will reach', () => {
  it('is where git_push goes, without credentials, and refuses the call when the remote changes', async () => {
    const { project, remote, folder } = await cloned();
    const before = await remote.git('rev-parse', 'main');
    await project.commit('More', { 'more.txt': 'more' });
    const elsewhere = path.join(folder, 'elsewhere.git');
    await remote.git('clone', '--quiet', '--bare', '.', elsewhere);
    const redirect = () => project.git('remote', 'set-url', '--push', 'origin', elsewhere);
    const world = await coreWorld(folder, redirect);
    const pushed = await world.call('git_push', { repository: path.basename(project.folder) });
    const { message } = failure(pushed, 'APPROVAL_DENIED');
    expect(message).to.include(`its destination (from ${remote.folder} to ${elsewhere}) changed`);
    expect(world.questions[0]).to.include(`\ndestination: ${remote.folder}\n`);
    // Which folders are open is fixed, and nothing that a caller chose.
    expect(world.questions[0]).to.include('repository').and.not.include('_folders');
    expect([await remote.git('rev-parse', 'main'), await remote.gitWith({ GIT_DIR: elsewhere }, 'rev-parse', 'main')]).to.deep.equal([
      before,
      before,
    ]);
  });

  it('hides the credentials in the URL of a remote', async () => {
    const { project, folder } = await cloned();
    await project.git('remote', 'set-url', 'origin', 'https://ada:password-of-ada@git.example/project.git');
    const world = await coreWorld(folder, () => project.git('remote', 'remove', 'origin'));
    const pushed = await world.call('git_push', { repository: path.basename(project.folder) });
    expect(pushed.isError).to.equal(true);
    expect(world.questions[0]).to.include('\ndestination: https://git.example/project.git\n').and.not.include('ada:');
  });

  it('is the program of system_execute, and refuses the call when that is replaced', async () => {
    const world = await coreWorld(undefined, ({ write }) => write({ 'act.sh': '#!/bin/sh\n: > "%/mark"\n' }));
    await world.write({ 'act.sh': '#!/bin/sh\necho old\n' });
    const { message } = failure(await world.call('system_execute', { command: './act.sh' }), 'APPROVAL_DENIED');
    expect(message).to.include(`its program (${world.folder}/act.sh) changed`);
    expect(world.questions[0]).to.include(`\nprogram: ${world.folder}/act.sh\nfolder: ${world.folder}\n`);
    expect(world.hasRun()).to.equal(false);
  });

  it('is the program that a folder of the PATH comes to hold during the question', async () => {
    const world = await coreWorld(undefined, ({ write }) => write({ 'bin/printf': '#!/bin/sh\n: > "%/mark"\n' }));
    await mkdir(path.join(world.folder, 'bin'));
    const environment = { PATH: `bin:${process.env['PATH']}` };
    const { message } = failure(
      await world.call('system_execute', { command: 'printf', arguments: ['x'], environment }),
      'APPROVAL_DENIED',
    );
    expect(message).to.match(/its program \(from \S+printf\S* to \S+\/bin\/printf\) changed/);
    expect(world.hasRun()).to.equal(false);
  });

  const requests = [
    { tool: 'web_request', parameters: { method: 'POST', query: { a: '1' } }, says: 'POST %/x?a=1' },
    { tool: 'web_graphql', parameters: { query: 'mutation { pay }', operation: 'mutation' }, says: 'POST %/x' },
    { tool: 'web_download', parameters: { path: 'x' }, says: 'GET %/x' },
  ];
  for (const { tool, parameters, says } of requests)
    it(`is the URL of ${tool}, where a person is asked about it`, async () => {
      const { url } = await loopback((_request, response) => json(response, { data: null }));
      const world = await coreWorld(undefined, () => {}, [
        policyHuman({ enableHITL: true, hitlMinRiskLevel: 'low' }),
        // The folder of this world is one of tools.
        confinePaths({ allowControlFiles: ['x'] }),
      ]);
      textOf(await world.call(tool, { url: `${url}/x`, ...parameters }));
      expect(world.questions[0]).to.include(`\ndestination: ${says.replace('%', url)}\n`);
    });

  it('is the server and the database of postgres_execute_sql, without the password', async () => {
    const env = { POSTGRES_URL: 'postgresql://ada:password-of-ada@127.0.0.1:1/books' };
    const options = { toolPaths: [packFolder('postgres')] };
    const world = await boundWorld({ gate: elicit, meanwhile: () => {}, options, plugins: [secretsEnv({ env })] });
    failure(await world.call('postgres_execute_sql', { sql: 'delete from books', read_only: false }), 'UPSTREAM_UNAVAILABLE');
    expect(world.questions[0]).to.include('\ndestination: 127.0.0.1:1, database books\n').and.not.include('password-of-ada');
  });
});

function coreWorld(root: string | undefined, meanwhile: (world: World) => unknown, plugins: readonly PluginEntry[] = []) {
  return boundWorld({ gate: elicit, meanwhile, plugins, options: { includeCore: true, ...(root === undefined ? {} : { roots: [root] }) } });
}
