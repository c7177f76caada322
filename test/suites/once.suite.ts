import { expect } from 'chai';
import { randomNumbers } from '../support/random.ts';
import { foldersForFile, temporaryFolder } from '../support/temporary.ts';
import { Effects } from './once/effects.ts';
import { workThrough } from './once/workers.ts';
import { RealServer } from './postgres/server.ts';

/** Calls for each kind of tool; the whole round has 10,000. */
const calls = Number(process.env['TOOLKIT_ONCE_CALLS'] ?? 240);

const toolOf = (url: string, name: string, more: object, method = 'POST'): string =>
  JSON.stringify({
    name,
    description: 'Has an effect, or looks for one.',
    parameters: { name: { type: 'string', required: true } },
    risk: method === 'GET' ? 'low' : 'medium',
    execution: { type: 'http', method, url: `${url}/${name.replace('find_', '')}`, query_params: { name: '{name}' }, timeout_ms: 3000 },
    ...more,
  });

describe(`${calls} calls that have an effect, by three processes of which some are killed, and some held up`, function () {
  this.timeout(1_800_000);

  let server: RealServer;
  const effects = new Effects();
  let tools: string;
  before(async () => {
    server = await RealServer.start();
    const url = await effects.start();
    const files = {
      'act_plain.yaml': toolOf(url, 'act_plain', {}),
      'act_keyed.yaml': toolOf(url, 'act_keyed', { idempotency: { header: 'Idempotency-Key' } }),
      'act_verified.yaml': toolOf(url, 'act_verified', {
        verify: { tool: 'find_act_verified', parameters: { name: '{name}' }, after_ms: 1000 },
      }),
      'find_act_verified.yaml': toolOf(url, 'find_act_verified', {}, 'GET'),
    };
    tools = await foldersForFile(() => temporaryFolder(files));
  });
  after(async () => {
    effects.stop();
    await server?.undo();
    await server?.stop();
  });

  const work = async (tool: string) => {
    const names = Array.from({ length: calls }, (_, index) => `${tool} ${index}`);
    const startedAt = performance.now();
    const { ends, kills, stalls } = await workThrough({
      tool,
      names,
      arguments: [tools, await server.makeDatabase()],
      workers: 3,
      strikeEvery: Math.max(20, Math.floor(calls / 12)),
      random: randomNumbers(7),
    });
    const counts = names.map((name) => effects.of(`/${tool}`, name));
    const unknown = names.filter((name) => ends.get(name) === 'OUTCOME_UNKNOWN');
    const found = {
      twice: names.filter((_, index) => (counts[index] ?? 0) > 1),
      lost: names.filter((name, index) => counts[index] === 0 && ends.get(name) === 'done'),
      other: [...new Set(ends.values())].filter((end) => end !== 'done' && end !== 'OUTCOME_UNKNOWN'),
    };
    const had = counts.filter((count) => count > 0).length;
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    process.stdout.write(
      `      ${calls} calls in ${seconds} s, ${kills} processes killed, ${stalls} held up: ${had} effects, ${found.twice.length} twice, ${found.lost.length} lost, ${unknown.length} unknown\n`,
    );
    expect(kills).to.be.greaterThan(2);
    expect(stalls).to.be.greaterThan(0);
    return { ...found, had, unknown };
  };

  const none = { twice: [], lost: [], other: [] };

  it('are made at most once; of those that are not done, each is said to be unknown', async () => {
    const { had: _had, unknown: _unknown, ...found } = await work('act_plain');
    expect(found).to.deep.equal(none);
  });

  it('are made once, all of them, where the service knows them by a header', async () => {
    expect(await work('act_keyed')).to.deep.equal({ ...none, unknown: [], had: calls });
  });

  it('are made once, all of them, where it can be found out', async () => {
    expect(await work('act_verified')).to.deep.equal({ ...none, unknown: [], had: calls });
  });
});
