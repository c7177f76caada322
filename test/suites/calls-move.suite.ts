/** `toolkit calls move`: from a file to PostgreSQL, with real processes on both sides, and breaks in between. */
import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { until } from '../support/until.ts';
import { MoveProject } from './calls-move/project.ts';
import { RealServer } from './postgres/server.ts';

const idsOf = (prefix: string, count: number): readonly string[] => Array.from({ length: count }, (_, index) => `${prefix}-${index}`);

describe('toolkit calls move', () => {
  let server: RealServer;
  before(async () => {
    server = await RealServer.start();
  });
  after(async () => {
    await server?.undo();
    await server?.stop();
  });

  it('takes what has ended, waits, is asked or ran in a killed process, and nothing acts twice', async () => {
    const project = await MoveProject.create(await server.makeDatabase());
    const waiting = idsOf('waiting', 5);
    await project.within('toolkit.config.yaml', async (toolkit) => {
      await project.submit(toolkit, ['done'], 'act', { size: 10_000 });
      await project.submit(toolkit, ['asked'], 'ask');
      const stop = await toolkit.calls.work({ concurrency: 1 });
      await (await toolkit.calls.get('done')).result();
      await until(async () => ((await (await toolkit.calls.get('asked')).status()) === 'asked' ? true : undefined));
      await stop();
      await project.submit(toolkit, waiting);
      await project.submit(toolkit, ['killed'], 'hang');
    });
    const worker = project.start(['worker', '--tools', 'hang']);
    await until(async () => ((await project.effects()).includes('killed') ? true : undefined));
    worker.child.kill('SIGKILL');
    await worker.exit;

    expect(await project.move()).to.deep.equal({
      approvals: { moved: 1, known: 0, later: 0 },
      'names of effects': { moved: 2, known: 0, later: 0 },
      'durable calls': { moved: 8, known: 0, later: 0 },
    });

    const other = project.start(['worker', '--config', 'cluster.yaml']);
    await other.waitFor(/takes durable calls/);
    await project.within('cluster.yaml', async (toolkit) => {
      for (const id of waiting) expect(await (await toolkit.calls.get(id)).result()).to.equal(`${id}x`);
      expect(await (await toolkit.calls.get('done')).result()).to.have.length(10_004);
      await until(async () => ((await (await toolkit.calls.get('killed')).status()) === 'unknown' ? true : undefined));
      const { status, question } = await (await toolkit.calls.get('asked')).call();
      expect(status).to.equal('asked');
      await toolkit.calls.answer('asked', { approve: true, by: 'ada', digest: question?.digest ?? '' });
      expect(await (await toolkit.calls.get('asked')).result()).to.equal('askedx');
      // The same names, submitted again.
      await project.submit(toolkit, ['done'], 'act', { size: 10_000 });
      await project.submit(toolkit, waiting);
    });
    expect(await project.effects()).to.deep.equal(['asked', 'done', 'killed', ...waiting].sort());
    expect(await project.move()).to.deep.include({ 'durable calls': { moved: 0, known: 0, later: 0 } });
  });

  it('continues after breaks, while a worker runs what has come: nothing twice, nothing lost', async () => {
    const url = await server.makeDatabase();
    const project = await MoveProject.create(url);
    const ids = idsOf('order', 240);
    await project.within('toolkit.config.yaml', (toolkit) => project.submit(toolkit, ids));
    const worker = project.start(['worker', '--config', 'cluster.yaml', '--concurrency', '8']);
    await worker.waitFor(/takes durable calls/);
    for (const arrived of [1, 60, 150]) {
      const move = project.start(['calls', 'move', 'state.db', '--config', 'cluster.yaml']);
      await until(async () => {
        const [row] = await server.rowsIn(url, "select count(*) as count from toolkit_entries where key like 'engine-local/call/%'");
        return Number(row?.['count']) >= arrived ? true : undefined;
      });
      move.child.kill('SIGKILL');
      await move.exit;
    }
    const moved = (await project.move())['durable calls'];
    expect(moved).to.deep.include({ known: 0, later: 0 });
    expect(moved?.moved).to.be.within(1, 239);
    await project.within('cluster.yaml', async (toolkit) => {
      await Promise.all(ids.map(async (id) => (await toolkit.calls.get(id)).result()));
      expect([...(await project.calls(toolkit)).keys()].sort()).to.deep.equal([...ids].sort());
    });
    expect(await project.effects()).to.deep.equal([...ids].sort());
  });

  it('refuses a file that a process uses, and takes it once that has ended', async () => {
    const project = await MoveProject.create(await server.makeDatabase());
    await project.within('toolkit.config.yaml', async (toolkit) => {
      await project.submit(toolkit, ['a']);
      const { code, stderr } = await project.run(['calls', 'move', 'state.db', '--config', 'cluster.yaml']);
      expect(code).to.equal(1);
      expect(stderr).to.include('state.db is in use').and.include('End the servers, workers and programs that use it');
      expect(await (await toolkit.calls.get('a')).status()).to.equal('waiting');
    });
    expect((await project.move())['durable calls']).to.deep.include({ moved: 1 });
  });

  it('closes the file for every process that comes later, and says where its calls are', async () => {
    const project = await MoveProject.create(await server.makeDatabase());
    await project.within('toolkit.config.yaml', (toolkit) => project.submit(toolkit, ['a']));
    await project.move();
    for (const args of [['calls', 'list'], ['worker']]) {
      const { code, stderr } = await project.run(args);
      expect(code).to.equal(1);
      expect(stderr).to.include('is closed for good').and.include('toolkit calls move');
    }
    expect((await project.run(['doctor'])).stdout).to.include('is closed for good');
  });

  it('goes to one store only', async () => {
    const project = await MoveProject.create(await server.makeDatabase());
    await project.writeCluster('other.yaml', await server.makeDatabase());
    await project.within('toolkit.config.yaml', (toolkit) => project.submit(toolkit, ['a']));
    await project.move();
    const { code, stderr } = await project.run(['calls', 'move', 'state.db', '--config', 'other.yaml']);
    expect(code).to.equal(2);
    expect(stderr).to.include('were moved to another store than that of this configuration');
  });

  it('says what is wrong with the key, the file or the configuration, and leaves the file as it was', async () => {
    const project = await MoveProject.create(await server.makeDatabase());
    await project.within('toolkit.config.yaml', (toolkit) => project.submit(toolkit, ['a']));
    await project.writeCluster('new.yaml', await server.makeDatabase());
    await copyFile('package.json', path.join(project.cwd, 'other.db'));
    const cases: readonly (readonly [args: readonly string[], env: Readonly<Record<string, string>>, message: RegExp])[] = [
      [
        ['state.db', '--config', 'new.yaml'],
        { TOOLKIT_KEY: 'another key of thirty-two bytes or more' },
        /written with another key.*TOOLKIT_KEY_PREVIOUS.*toolkit.keys.key/s,
      ],
      [['none.db', '--config', 'cluster.yaml'], {}, /There is no store in .*none\.db/],
      [['other.db', '--config', 'cluster.yaml'], {}, /other\.db cannot be used/],
      [['state.db'], {}, /No engine of this configuration takes calls of another store. List storePostgres\(\)/],
    ];
    for (const [args, env, message] of cases) {
      const { code, stderr } = await project.run(['calls', 'move', ...args], env);
      expect(code, stderr).to.be.greaterThan(0);
      expect(stderr).to.match(message);
    }
    const { stdout } = await project.run(['calls', 'list', '--json']);
    expect(JSON.parse(stdout)).to.have.property('calls').with.length(1);
  });
});
