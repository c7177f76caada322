import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { desk, pets } from './stand-in.ts';

const plan = { report: '4.1-all-passed' };
const given = { collection_path: 'pets', env_file: 'vars.json' };

describe('what reaches the runner of the API client', () => {
  const planted = { TOOLKIT_TEST_SECRET: 'not-a-real-secret', TOOLKIT_TEST_NAMED: 'named', NODE_OPTIONS: '--no-deprecation' };
  let before: NodeJS.ProcessEnv;
  beforeEach(() => {
    before = { ...process.env };
    Object.assign(process.env, planted);
  });
  afterEach(() => {
    for (const name of Object.keys(planted)) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  });

  it('is an environment without the variables of the server', async () => {
    const { call, starts } = await desk({ files: pets(), plan });
    await call('run_collection', { collection_path: 'pets', tags: 'smoke' });
    const found = await starts();
    expect(found).to.have.length(2);
    for (const { env } of found) {
      expect(env).to.not.have.any.keys(...Object.keys(planted));
      expect(env).to.include({ PATH: process.env['PATH'] });
      expect(Object.keys(env).filter((name) => /secret|token|key|password/i.test(name))).to.deep.equal([]);
    }
  });

  it('has the variables that the configuration names, as far as they are set', async () => {
    const { call, runs } = await desk({ files: pets(), plan, options: { env: ['TOOLKIT_TEST_NAMED', 'TOOLKIT_TEST_UNSET'] } });
    await call('run_collection', { collection_path: 'pets' });
    const env = (await runs())[0]?.env;
    expect(env).to.include({ TOOLKIT_TEST_NAMED: 'named' }).and.to.not.have.any.keys('TOOLKIT_TEST_UNSET', 'TOOLKIT_TEST_SECRET');
  });

  it('is the environment file in a spelling that Node does not know, behind its own arguments', async () => {
    const { call, root, runs } = await desk({ files: { ...pets(), 'vars.json': '{}' }, plan });
    await call('run_collection', given);
    await call('run_request', { ...given, request_name: 'Get pet' });
    for (const { args } of await runs()) {
      expect(args).to.include(`--envFile=${path.join(root, 'vars.json')}`);
      expect(args.join(' ')).to.not.include('--env-file');
    }
    expect(await runs()).to.have.length(2);
  });

  it('is not a file that NODE_OPTIONS in an environment file names', async () => {
    const { call, root, runs } = await desk({ files: pets(), plan });
    const preload = path.join(root, 'preload.cjs');
    await writeFile(preload, 'globalThis.preloaded = true;');
    await writeFile(path.join(root, 'vars.bru'), `NODE_OPTIONS="--require=${preload}"\n`);
    expect((await call('run_collection', { ...given, env_file: 'vars.bru' })).success).to.equal(true);
    const [run] = await runs();
    expect(run?.preloaded).to.equal(false);
    expect(run?.env).to.not.have.property('NODE_OPTIONS');
  });
});
