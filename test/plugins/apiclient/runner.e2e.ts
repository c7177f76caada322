import { chmod, copyFile, readdir, readFile, rename, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { failure } from './failure.ts';
import { type Desk, desk, type Plan, pets } from './stand-in.ts';

const given = { collection_path: 'pets' };
const passing: Plan = { report: '4.1-all-passed' };

describe('the runner of the API client', () => {
  const runs: { name: string; parameters: Record<string, unknown> }[] = [
    { name: 'run_collection', parameters: given },
    { name: 'run_request', parameters: { ...given, request_name: 'Get pet' } },
    { name: 'import_openapi', parameters: { spec_source: 'o.json', output_directory: 'out' } },
  ];
  for (const { name, parameters } of runs) {
    it(`is missing: ${name} says what to install`, async () => {
      const { call, root } = await desk({
        files: { ...pets(), 'o.json': '{"openapi":"3.0.0","paths":{}}' },
        options: { command: 'no-such-runner' },
      });
      const answer = await call(name, parameters);
      failure(answer, 'The runner "no-such-runner" was not found', 'npm install -g @usebruno/cli', 'option "command"');
      expect(await readdir(root)).to.have.members(['o.json', 'pets']);
    });
  }

  it('is missing: the error has the code of a missing dependency', async () => {
    const { toolkit } = await desk({ files: pets(), options: { command: '/no/such/runner' } });
    const { error } = await toolkit.kernel.call({ tool: 'apiclient_run_collection', parameters: given });
    expect(error?.code).to.equal('DEPENDENCY_MISSING');
  });

  it('is found through a link, and is started as a program when it is no script', async () => {
    const { call, runner, starts } = await desk({ files: pets(), plan: passing });
    await symlink('bru.cjs', path.join(runner, 'linked'));
    const linked = await desk({ files: pets(), options: { command: path.join(runner, 'linked') } });
    expect((await linked.call('run_collection', given)).success).to.equal(true);
    expect((await call('run_collection', given)).success).to.equal(true);
    await rename(path.join(runner, 'bru.cjs'), path.join(runner, 'bru'));
    await chmod(path.join(runner, 'bru'), 0o755);
    const program = await desk({ files: pets(), options: { command: path.join(runner, 'bru') } });
    expect((await program.call('run_collection', given)).success).to.equal(true);
    // A program is first asked for its version: it shows then whether Node runs it.
    expect((await starts()).map(({ args }) => args[0])).to.deep.equal(['run', 'run', '--version', 'run']);
  });

  it('is not started when it cannot be guarded, because Node does not run it', async () => {
    const files = { ...pets(), 'runner.sh': '#!/bin/sh\necho "$@" >> "$(dirname "$0")/calls"\necho 4.1.0\n' };
    const table = await desk({ files });
    const command = path.join(table.root, 'runner.sh');
    await chmod(command, 0o755);
    const { call } = await desk({ files: pets(), options: { command } });
    failure(await call('run_collection', given), 'cannot be kept from private addresses', 'bin/bru.js', 'option "command"');
    expect(await readFile(path.join(table.root, 'calls'), 'utf8')).to.equal('--version\n');
  });

  const old: { title: string; version: string; parameters: Record<string, unknown>; words: readonly string[] }[] = [
    { title: 'tags', version: '1.40.0', parameters: { tags: 'smoke' }, words: ['has version 1.40.0', 'tags needs 2.0.0'] },
    {
      title: 'two options',
      version: '1.9.9',
      parameters: { exclude_tags: 'a', parallel: true },
      words: ['exclude_tags needs 2.0.0, parallel needs 2.0.0'],
    },
    { title: 'an environment file', version: '1.40.0', parameters: { env_file: 'pets/bruno.json' }, words: ['env_file needs 2.0.0'] },
    {
      title: 'a collection of YAML files',
      version: '2.15.1',
      parameters: { collection_path: 'open' },
      words: ['an OpenCollection needs 3.0.0'],
    },
  ];
  for (const { title, version, parameters, words } of old) {
    it(`is too old for ${title}: it is not run`, async () => {
      const { call, runs: started } = await desk({ files: pets(), collections: ['open'], plan: { ...passing, version } });
      failure(await call('run_collection', { ...given, ...parameters }), 'too old', 'npm install -g @usebruno/cli', ...words);
      expect(await started()).to.deep.equal([]);
    });
  }

  for (const version of ['2.0.0', '10.0.0', 'bru 4.1.0-rc.1']) {
    it(`is new enough as "${version}"`, async () => {
      const { call } = await desk({ files: pets(), plan: { ...passing, version } });
      expect((await call('run_collection', { ...given, tags: 'smoke' })).success).to.equal(true);
    });
  }

  for (const [title, plan] of [
    ['prints no version', { version: 'hello' }],
    ['fails to say its version', { versionExitCode: 3 }],
  ] as const) {
    it(`is another program when it ${title}`, async () => {
      const { call, runs: started } = await desk({ files: pets(), plan });
      failure(
        await call('run_collection', { ...given, tags: 'smoke' }),
        '--version" should print a version',
        plan.version ?? 'ended with 3',
        'Install it',
      );
      expect(await started()).to.deep.equal([]);
    });
  }

  it('is asked for its version once, and only when that matters', async () => {
    const { call, starts } = await desk({ files: pets(), plan: passing });
    await call('run_collection', given);
    expect((await starts()).map(({ args }) => args[0])).to.deep.equal(['run']);
    for (let round = 0; round < 3; round++) await call('run_collection', { ...given, tags: 'smoke' });
    expect((await starts()).map(({ args }) => args[0])).to.deep.equal(['run', '--version', 'run', 'run', 'run']);
  });

  it('is not started to say its version where npm has installed it', async () => {
    const table = await desk({ files: { 'cli/package.json': '{"name":"@usebruno/cli","version":"1.40.0"}', 'cli/bin/none': '' } });
    const bin = path.join(table.root, 'cli/bin');
    for (const name of ['bru.cjs', 'plan.json']) await copyFile(path.join(table.runner, name), path.join(bin, name));
    const { call } = await desk({ files: pets(), options: { command: path.join(bin, 'bru.cjs') } });
    failure(await call('run_collection', { ...given, tags: 'smoke' }), 'has version 1.40.0', 'tags needs 2.0.0');
    expect(await readdir(bin)).to.have.members(['bru.cjs', 'none', 'plan.json']);
  });

  const crashes: { title: string; plan: Plan; words: readonly string[] }[] = [
    {
      title: 'code 1',
      plan: { exitCode: 1, stderr: 'Unknown argument: nope\n' },
      words: ['code 1', 'refused an argument or a file', 'Unknown argument: nope'],
    },
    { title: 'code 3', plan: { exitCode: 3 }, words: ['code 3', 'without end', 'said nothing'] },
    {
      title: 'code 4',
      plan: { exitCode: 4, stdout: 'You can run only at the root\n' },
      words: ['code 4', 'no collection', 'You can run only at the root'],
    },
    { title: 'code 5', plan: { exitCode: 5 }, words: ['code 5', 'a request file was not found'] },
    { title: 'code 6', plan: { exitCode: 6 }, words: ['code 6', 'an environment was not found'] },
    { title: 'code 7', plan: { exitCode: 7 }, words: ['code 7', 'a variable was malformed'] },
    { title: 'code 8', plan: { exitCode: 8 }, words: ['code 8', 'a variable was malformed'] },
    { title: 'code 9', plan: { exitCode: 9, stderr: 'node: x: not found' }, words: ['code 9 and wrote no report: node: x: not found'] },
    { title: 'code 10', plan: { exitCode: 10 }, words: ['code 10', 'the data file was not found'] },
    { title: 'code 255', plan: { exitCode: 255, stderr: 'Grüße '.repeat(100) }, words: ['code 255 and wrote no report: Grüße'] },
    { title: 'code 0', plan: { exitCode: 0 }, words: ['ended with code 0 and wrote no report, and said nothing'] },
    { title: 'a signal', plan: { signal: 'SIGKILL' }, words: ['was ended by a signal', 'wrote no report'] },
  ];
  for (const { title, plan, words } of crashes) {
    it(`ends with ${title} and no report`, async () => {
      const { call } = await desk({ files: pets(), plan });
      const error = failure(await call('run_collection', given), ...words);
      expect(error.length).to.be.lessThan(350);
    });
  }

  const reports: { title: string; reportText: string; words: readonly string[] }[] = [
    { title: 'is cut off', reportText: '[{"results":[', words: ['a report that cannot be read', 'JSON'] },
    { title: 'is empty', reportText: '', words: ['a report that cannot be read'] },
    { title: 'is an object', reportText: '{"summary":{},"results":[]}', words: ['a report that cannot be read', 'expected a list'] },
    {
      title: 'is larger than the limit',
      reportText: `[${' '.repeat(2000)}]`,
      words: ['has 2002 bytes', 'at most 1000', 'limits.maxReportBytes'],
    },
  ];
  for (const { title, reportText, words } of reports) {
    it(`writes a report that ${title}`, async () => {
      const { call } = await desk({ files: pets(), plan: { reportText }, options: { limits: { maxReportBytes: 1000 } } });
      failure(await call('run_collection', given), ...words);
    });
  }

  it('is stopped when it prints without end', async () => {
    const { call } = await desk({ files: pets(), plan: { ...passing, stdoutBytes: 11 * 1024 * 1024 } });
    failure(await call('run_collection', given), 'printed more than 10485760 bytes and was stopped', 'console.log');
  });

  const ends: { title: string; plan: Plan }[] = [
    { title: 'a run that went well', plan: passing },
    { title: 'a crash', plan: { exitCode: 255 } },
    { title: 'a report that cannot be read', plan: { reportText: '{' } },
  ];
  for (const { title, plan } of ends) {
    it(`leaves no temporary folder after ${title}`, async () => {
      const table = await desk({ files: pets(), plan });
      await table.call('run_collection', given);
      expect(await privateFolders(table)).to.deep.equal([]);
    });
  }
});

/** The private folders of the runs of a desk that are still there. */
async function privateFolders({ runs }: Desk): Promise<readonly string[]> {
  const flags = (await runs()).flatMap(({ args }) => args.filter((arg) => arg.startsWith('--reporter-json=')));
  const used = flags.map((arg) => path.basename(path.dirname(arg.slice(arg.indexOf('=') + 1))));
  expect(used).not.to.deep.equal([]);
  const present = await readdir(os.tmpdir());
  return used.filter((name) => present.includes(name));
}
