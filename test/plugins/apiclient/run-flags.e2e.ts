import { realpath } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { failure } from './failure.ts';
import { desk, pets, request } from './stand-in.ts';

const plan = { report: '4.1-all-passed' };
const given = { collection_path: 'pets' };

describe('apiclient_run_collection: how the runner is started', () => {
  it('is in the folder of the collection, without a shell, with a safe sandbox and a private report', async () => {
    const { call, root, runs, runner } = await desk({ files: pets(), plan });
    await call('run_collection', given);
    const [run, ...others] = await runs();
    expect(others).to.deep.equal([]);
    expect(run?.cwd).to.equal(path.join(root, 'pets'));
    expect(run?.argv.slice(0, 2)).to.deep.equal([process.execPath, path.join(runner, 'bru.cjs')]);
    const [report = '', ...rest] = run?.args.slice(2) ?? [];
    expect([run?.args.slice(0, 2), rest]).to.deep.equal([['run', '--sandbox=safe'], []]);
    const [, file = ''] = /^--reporter-json=(.*)$/.exec(report) ?? [];
    expect(path.relative(await realpath(os.tmpdir()), await realpath(path.dirname(path.dirname(file))))).to.equal('');
  });

  const flags: { parameters: Record<string, unknown>; args: readonly string[] }[] = [
    { parameters: { environment: 'local' }, args: ['--env=local'] },
    { parameters: { environment: '-x' }, args: ['--env=-x'] },
    { parameters: { environment: 'Größe 2, {a}' }, args: ['--env=Größe 2, {a}'] },
    { parameters: { delay_ms: 100 }, args: ['--delay=100'] },
    { parameters: { delay_ms: 0 }, args: ['--delay=0'] },
    { parameters: { exclude_tags: ' slow, fast ,' }, args: ['--exclude-tags=slow,fast'] },
    { parameters: { exclude_tags: '' }, args: [] },
    { parameters: { tests_only: true }, args: ['--tests-only'] },
    { parameters: { bail_on_failure: true }, args: ['--bail'] },
    { parameters: { parallel: true, iteration_count: 3 }, args: ['--parallel', '--iteration-count=3'] },
    { parameters: { iteration_count: 1, tests_only: false, bail_on_failure: false, parallel: false }, args: [] },
    { parameters: { tags: '' }, args: [] },
  ];
  for (const { parameters, args } of flags) {
    it(`has ${args.join(' ') || 'nothing more'} for ${JSON.stringify(parameters)}`, async () => {
      const environments = { 'environments/-x.bru': 'vars {\n}\n', 'environments/Größe 2, {a}.bru': 'vars {\n}\n' };
      const { call, runs } = await desk({ files: pets(environments), plan });
      await call('run_collection', { ...given, ...parameters });
      const [run] = await runs();
      const own = run?.args.slice(1).filter((arg) => !/^--(sandbox|reporter-json)=/.test(arg));
      expect(own).to.deep.equal(args);
    });
  }

  it('asks for the developer sandbox only when it is told to', async () => {
    const { call, runs } = await desk({ files: pets(), plan });
    await call('run_collection', { ...given, sandbox_mode: 'developer' });
    expect((await runs())[0]?.args)
      .to.include('--sandbox=developer')
      .and.not.include('--sandbox=safe');
  });

  const tags: { tags: string; files: readonly string[] }[] = [
    { tags: 'smoke', files: ['./sub/slow.bru', './get-pet.bru', './list-pets.bru'] },
    { tags: 'smoke,fast', files: ['./sub/slow.bru', './get-pet.bru'] },
    { tags: ' fast , smoke, slow', files: ['./sub/slow.bru'] },
  ];
  for (const { tags: list, files } of tags) {
    it(`names the requests that have all of the tags "${list}"`, async () => {
      const { call, runs } = await desk({ files: pets(), plan });
      await call('run_collection', { ...given, tags: list, exclude_tags: 'other' });
      const args = (await runs())[0]?.args ?? [];
      expect(args.filter((arg) => arg.startsWith('./'))).to.deep.equal(files);
      expect(args.some((arg) => arg.startsWith('--tags'))).to.equal(false);
      expect(args).to.include('--exclude-tags=other');
    });
  }

  it('takes a request whose file begins with a hyphen for a file', async () => {
    const { call, runs } = await desk({
      files: pets({ '-x.bru': request('X', { tags: ['odd'] }), '日本 (1).bru': request('Y', { tags: ['odd'] }) }),
      plan,
    });
    await call('run_collection', { ...given, tags: 'odd' });
    expect((await runs())[0]?.args.slice(0, 3)).to.deep.equal(['run', './-x.bru', './日本 (1).bru']);
  });

  it('names what could not be read when tags decide what runs', async () => {
    const { call } = await desk({ files: pets({ 'broken.bru': 'meta {' }), plan });
    const { success, errors } = await call('run_collection', { ...given, tags: 'smoke' });
    expect([success, errors.length]).to.deep.equal([false, 1]);
    expect(errors[0]).to.include('broken.bru: cannot be read');
  });

  const refusals: { title: string; parameters: Record<string, unknown>; words: readonly string[] }[] = [
    {
      title: 'tags that no request has',
      parameters: { tags: 'smoke,gone' },
      words: ['No request', 'smoke, gone', 'nothing was run', 'fast, slow, smoke'],
    },
    { title: 'a tag with a space', parameters: { tags: 'a b' }, words: ['"tags"', '"a b"', 'letters, digits'] },
    {
      title: 'an environment that is not there',
      parameters: { environment: 'gone' },
      words: ['no environment "gone"', 'expected "local"'],
    },
    { title: 'an environment outside of its folder', parameters: { environment: '../../other' }, words: ['no environment "../../other"'] },
    {
      title: 'an environment with the ending of its file',
      parameters: { environment: 'local.bru' },
      words: ['no environment "local.bru"'],
    },
    { title: 'an unknown sandbox', parameters: { sandbox_mode: 'none' }, words: ['sandbox_mode', 'safe', 'none'] },
    { title: 'no iterations', parameters: { iteration_count: 0 }, words: ['iteration_count', '1'] },
    { title: 'half an iteration', parameters: { iteration_count: 1.5 }, words: ['iteration_count', 'integer'] },
    {
      title: 'more iterations than the limit',
      parameters: { iteration_count: 20_000 },
      words: ['20000 times', 'at most 10000', 'limits.maxIterations'],
    },
    { title: 'a delay that is no number', parameters: { delay_ms: '1; rm' }, words: ['delay_ms'] },
    { title: 'a parameter that nobody knows', parameters: { tag: 'smoke' }, words: ['tag'] },
    {
      title: 'an environment file that is missing',
      parameters: { env_file: 'gone.json' },
      words: ['environment file', '/gone.json cannot be opened (ENOENT)'],
    },
    { title: 'an environment file that is a folder', parameters: { env_file: 'pets' }, words: ['/pets is no file'] },
    { title: 'an environment file of another format', parameters: { env_file: 'pets/note.env' }, words: ['another format', '.bru, .json'] },
    {
      title: 'an environment file outside of the roots',
      parameters: { env_file: '/etc/passwd' },
      words: ['"env_file"', 'expected a path inside'],
    },
    { title: 'a collection that is missing', parameters: { collection_path: 'gone' }, words: ['/gone" cannot be opened (ENOENT)'] },
    { title: 'a folder that is no collection', parameters: { collection_path: 'pets/sub' }, words: ['is not a collection'] },
    {
      title: 'a collection that the runner does not know',
      parameters: { collection_path: 'half' },
      words: ['/half cannot be run', 'expected "bruno.json"', 'Copy'],
    },
  ];
  for (const { title, parameters, words } of refusals) {
    it(`does not happen for ${title}`, async () => {
      const { call, starts } = await desk({
        files: { ...pets({ 'note.env': '' }), 'half/apiclient.json': '{}', 'other.bru': 'vars {\n}\n' },
        plan,
      });
      failure(await call('run_collection', { ...given, ...parameters }), ...words);
      expect(await starts()).to.deep.equal([]);
    });
  }
});
