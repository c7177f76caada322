import { expect } from 'chai';
import { compiled } from '../support/compiled.ts';
import { randomNumbers } from '../support/random.ts';
import { foldersForFile, temporaryFolder } from '../support/temporary.ts';
import { Effects } from './once/effects.ts';
import { type WorkedThrough, workThrough } from './once/workers.ts';
import { RealServer } from './postgres/server.ts';

/** In all; a whole run has 10,000. */
const calls = Number(process.env['TOOLKIT_ONCE_CALLS'] ?? 360);

const toolNames = ['act_plain', 'act_keyed', 'act_verified'];

const toolOf = (url: string, name: string, more: object, method = 'POST'): string =>
  JSON.stringify({
    name,
    description: 'Has an effect, or looks for one.',
    parameters: { name: { type: 'string', required: true } },
    risk: method === 'GET' ? 'low' : 'medium',
    execution: { type: 'http', method, url: `${url}/${name.replace('find_', '')}`, query_params: { name: '{name}' }, timeout_ms: 3000 },
    ...more,
  });

describe(`${calls} calls that have an effect, by three processes with clocks 60 s apart, of which some are killed, and some held up`, function () {
  this.timeout(1_800_000);

  let server: RealServer;
  const effects = new Effects();
  let result: WorkedThrough;
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
    const tools = await foldersForFile(() => temporaryFolder(files));
    const startedAt = performance.now();
    const named = Array.from({ length: calls }, (_, index) => [`call ${index}`, toolNames[index % toolNames.length] as string] as const);
    result = await workThrough({
      program: await compiled('test/suites/once/worker.ts'),
      calls: new Map(named),
      arguments: [tools, await server.makeDatabase()],
      workers: 3,
      strikeEvery: Math.floor(calls / Math.min(40, 6 + calls / 250)),
      random: randomNumbers(7),
    });
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    process.stdout.write(`    ${calls} calls in ${seconds} s, ${result.kills} processes killed, ${result.stalls} held up\n`);
    expect(result.kills).to.be.greaterThan(2);
    expect(result.stalls).to.be.greaterThan(0);
  });
  after(async () => {
    effects.stop();
    await server?.undo();
    await server?.stop();
  });

  const outcomeOf = (tool: string) => {
    const names = Array.from({ length: calls }, (_, index) => `call ${index}`).filter(
      (_, index) => toolNames[index % toolNames.length] === tool,
    );
    const countOf = (name: string): number => effects.of(`/${tool}`, name);
    const endedWith = (end: string) => names.filter((name) => result.ends.get(name) === end);
    const found = {
      twice: names.filter((name) => countOf(name) > 1),
      lost: endedWith('done').filter((name) => countOf(name) === 0),
      other: [...new Set(names.map((name) => result.ends.get(name)))].filter((end) => end !== 'done' && end !== 'OUTCOME_UNKNOWN'),
      unknown: endedWith('OUTCOME_UNKNOWN'),
      without: names.filter((name) => countOf(name) === 0),
    };
    const counts = Object.entries(found).map(([what, { length }]) => `${length} ${what}`);
    process.stdout.write(`      ${tool}: ${names.length} calls, ${names.length - found.without.length} effects, ${counts.join(', ')}\n`);
    return found;
  };

  const none = { twice: [], lost: [], other: [] };

  it('are made at most once; of those that are not done, each is said to be unknown', () => {
    const { unknown, without, ...found } = outcomeOf('act_plain');
    expect(found).to.deep.equal(none);
    expect(unknown).to.include.members(without);
  });

  for (const [tool, where] of [
    ['act_keyed', 'where the service knows them by a header'],
    ['act_verified', 'where it can be found out'],
  ] as const)
    it(`are made once, all of them, ${where}`, () => {
      expect(outcomeOf(tool)).to.deep.equal({ ...none, unknown: [], without: [] });
    });
});
