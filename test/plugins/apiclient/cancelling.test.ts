import { readdir, readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import sinon from 'sinon';
import { rejection } from '../../support/rejection.ts';
import { until as untilAnswer } from '../../support/until.ts';
import { ended, isRunning, pidsIn } from '../executor-command/processes.ts';
import { failure } from './failure.ts';
import { type Desk, desk, pets, specificationFile } from './stand-in.ts';
import { treeOf } from './tree.ts';

/** A safe run starts no children. */
const developer = { sandbox_mode: 'developer' };
const calls: { name: string; parameters: Record<string, unknown> }[] = [
  { name: 'run_collection', parameters: { collection_path: 'pets', data_file: 'data.json', ...developer } },
  { name: 'run_request', parameters: { collection_path: 'pets', request_name: 'Get pet', ...developer } },
  { name: 'import_openapi', parameters: { spec_source: 'pets.yaml', output_directory: 'out/deep' } },
];

/** A desk whose runner starts a child, and never ends. */
async function hanging(): Promise<Desk> {
  const files = { ...pets(), 'data.json': '[{}]', 'pets.yaml': await readFile(specificationFile, 'utf8') };
  return desk({ files, plan: { hang: true } });
}

/** Asks again until it holds; what cannot be asked now may be later. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  await untilAnswer(async () => (await holds().catch(() => false)) || undefined);
}

async function temporary(): Promise<readonly string[]> {
  return (await readdir(os.tmpdir())).filter((name) => name.startsWith('toolkit-apiclient-'));
}

describe('a call of the API client that is ended', () => {
  for (const { name, parameters } of calls) {
    it(`ends the runner and its children, and leaves nothing: ${name}`, async () => {
      const { call, root, runner, runs } = await hanging();
      const before = await treeOf(root);
      const cancelling = new AbortController();
      const running = rejection(call(name, parameters, { signal: cancelling.signal }), 'ABORTED');
      const pids = await pidsIn(path.join(runner, 'pids'));
      expect(pids.map(isRunning)).to.deep.equal([true, true]);
      cancelling.abort();
      await running;
      await ended(pids);
      // The call is over at once; what it made is removed when the runner has ended.
      await until(async () => isDeepStrictEqual(await treeOf(root), before));
      const folders = (await runs()).flatMap(({ args }) => args.filter((arg) => arg.startsWith('--reporter-json=')));
      const used = folders.map((arg) => path.basename(path.dirname(arg)));
      await until(async () => (await temporary()).every((folder) => !used.includes(folder)));
    });
  }

  it('ends the runner at the time limit, and says so', async () => {
    const { call, runner } = await hanging();
    const clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const running = call('run_collection', { collection_path: 'pets', ...developer });
      const pids = await pidsIn(path.join(runner, 'pids'));
      clock.tick(1_800_000);
      failure(await running, '1800000 ms');
      await ended(pids);
    } finally {
      clock.restore();
    }
  });
});
