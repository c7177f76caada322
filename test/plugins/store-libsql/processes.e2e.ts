import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { PluginApi } from '../../../kernel/index.ts';
import { apiVersion, definePlugin, type StateStore } from '../../../kernel/index.ts';
import { storeLibsql } from '../../../plugins/store-libsql/index.ts';
import { rejection } from '../../support/rejection.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { bareKernel } from '../../support/test-kernel.ts';
import { until } from '../../support/until.ts';

const run = promisify(execFile);
/** As it is built: a process that compiles the sources itself takes a second to start. */
const moduleOf = (name: string): string => JSON.stringify(path.resolve('dist', name));

/** The state as a plugin of a kernel of its own has it. */
async function stateOf(file: string, plugin = 'user'): Promise<StateStore> {
  let api: PluginApi | undefined;
  const user = definePlugin({
    name: plugin,
    apiVersion,
    apply: (given) => {
      api = given;
    },
  });
  await bareKernel({ plugins: [user(), storeLibsql({ path: file })] });
  return (api as PluginApi).state;
}

/** Another process: does `work` with the state of a plugin of the same name. */
const program = (file: string, work: string): string => `
import { apiVersion, createKernel, definePlugin } from ${moduleOf('kernel/index.js')};
import { storeLibsql } from ${moduleOf('plugins/store-libsql/index.js')};
let state;
const user = definePlugin({ name: 'user', apiVersion, apply: (api) => void (state = api.state) });
const kernel = await createKernel({ plugins: [storeLibsql({ path: ${JSON.stringify(file)} }), user()] });
${work}
`;

const started = (folder: string) => [path.join(folder, 'other.mjs')];

describe('the store in a file, with several processes', () => {
  it('is one for all of them: values, counts, and who comes first', async () => {
    const folder = await temporaryFolder();
    const file = path.join(folder, 'state.db');
    const work = `
      const wins = await Promise.all(Array.from({ length: 500 }, (_, index) => state.compareAndSet('first/' + index, undefined, '')));
      const counts = await Promise.all(Array.from({ length: 500 }, () => state.increment('count', { windowMs: 3_600_000, limit: 1200 })));
      console.log(JSON.stringify([wins.filter(Boolean).length, counts.filter(({ isCounted }) => isCounted).length]));
      await kernel.close();`;
    const one = await temporaryFolder({ 'other.mjs': program(file, work) });
    const ends = await Promise.all(Array.from({ length: 3 }, () => run(process.execPath, started(one))));
    const [wins, counted] = [0, 1].map((at) => ends.reduce((sum, { stdout }) => sum + JSON.parse(stdout)[at], 0));
    expect({ wins, counted }).to.deep.equal({ wins: 500, counted: 1200 });
  });

  it('has what was answered before a process was killed, and goes on', async () => {
    const folder = await temporaryFolder();
    const file = path.join(folder, 'state.db');
    const work = `for (let index = 0; ; index++) { await state.set('key/' + index, 'x'.repeat(1000)); console.log(index); }`;
    const one = await temporaryFolder({ 'other.mjs': program(file, work) });
    const child = spawn(process.execPath, started(one), { stdio: ['ignore', 'pipe', 'ignore'] });
    let last = -1;
    const lines = createInterface({ input: child.stdout });
    lines.on('line', (line) => {
      last = Number(line);
      if (last === 50) child.kill('SIGKILL');
    });
    await once(lines, 'close');
    expect(last).to.be.at.least(50);
    const state = await stateOf(file);
    const found = (await state.list('key/')).map(({ key }) => Number(key.slice(4)));
    for (let index = 0; index <= last; index++) expect(found).to.include(index);
    await state.set('key/more', '');
  });

  it('tells what another process changes', async () => {
    const folder = await temporaryFolder();
    const file = path.join(folder, 'state.db');
    const told: string[] = [];
    const state = await stateOf(file);
    await state.watch('mail/', (key) => told.push(key));
    const one = await temporaryFolder({ 'other.mjs': program(file, `await state.set('mail/1', 'x'); await kernel.close();`) });
    await run(process.execPath, started(one));
    await until(() => told.includes('mail/1') || undefined);
    expect(await state.get('mail/1')).to.equal('x');
  });

  it('keeps the keys of plugins apart', async () => {
    const file = path.join(await temporaryFolder(), 'state.db');
    const [one, other] = [await stateOf(file, 'one'), await stateOf(file, 'other')];
    await one.set('key', '1');
    expect([await other.get('key'), await other.list(''), await one.list('')]).to.deep.equal([undefined, [], [{ key: 'key', value: '1' }]]);
    await other.delete('key');
    expect(await one.get('key')).to.equal('1');
  });
});

describe('a store in a file that cannot be used', () => {
  const refusals: Readonly<Record<string, { readonly place: () => Promise<string>; readonly says: string }>> = {
    'whose folder cannot be made': {
      place: async () => path.join(await temporaryFolder({ file: '' }), 'file', 'state.db'),
      says: 'file already exists',
    },
    'that is a folder': {
      place: async () => {
        const folder = path.join(await temporaryFolder(), 'state.db');
        await mkdir(folder);
        return folder;
      },
      says: 'EISDIR',
    },
    'that is no database': {
      place: async () =>
        path.join(
          await temporaryFolder({
            'state.db': 'just a text, and a long one, so that it cannot be the beginning of a database. '.repeat(20),
          }),
          'state.db',
        ),
      says: 'file is not a database',
    },
    'of a later version': {
      place: async () => {
        const file = path.join(await temporaryFolder(), 'state.db');
        await (await stateOf(file)).set('a', '1');
        const { default: Database } = await import('libsql');
        const database = new Database(file);
        database.exec('pragma user_version = 99');
        database.close();
        return file;
      },
      says: 'has version 99',
    },
  };
  for (const [what, { place, says }] of Object.entries(refusals)) {
    it(`is named, with the reason: one ${what}`, async () => {
      const file = await place();
      const error = await rejection((await stateOf(file)).set('a', '1'), 'STATE_UNAVAILABLE');
      expect(error.message).to.include(file).and.to.include(says);
    });
  }

  it('is used as soon as it can be', async () => {
    const folder = path.join(await temporaryFolder(), 'state');
    await mkdir(folder);
    const state = await stateOf(path.join(folder, 'inner', 'state.db'));
    if (process.getuid?.() !== 0) {
      await chmod(folder, 0o500);
      await rejection(state.set('a', '1'), 'STATE_UNAVAILABLE');
      await chmod(folder, 0o700);
    }
    await state.set('a', '1');
  });
});
