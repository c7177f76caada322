import { expect } from 'chai';
import { apiVersion, definePlugin, type Kernel, ToolkitError } from '../../../kernel/index.ts';
import { callsOnce } from '../../../plugins/calls-once/index.ts';
import { rejection } from '../../support/rejection.ts';
import { echoTool, testKernel } from '../../support/test-kernel.ts';

type Parameters = Readonly<Record<string, unknown>>;

/** A tool whose first call is lost, so that nobody knows whether it had its effect; another one finds it, or does not. */
class Lost {
  effects = 0;
  /** Epoch ms, of the last effect. */
  at = 0;
  /** Parameters of the calls of the tool that finds. */
  readonly asked: Parameters[] = [];
  answer: () => unknown = () => undefined;

  tools(verify: unknown, more: Parameters = {}): Record<string, unknown>[] {
    const act = () => {
      this.at = Date.now();
      if (++this.effects === 1) throw new Error('lost');
      return { effect: this.effects };
    };
    const find = (parameters: Parameters) => {
      this.asked.push(parameters);
      return this.answer();
    };
    const acting = { parameters: { n: { type: 'number' }, note: { type: 'string' }, whom: { type: 'object' } }, risk: 'medium' };
    const finding = {
      parameters: { n: { type: 'number' }, since: { type: 'string' }, name: { type: 'string' }, note: { type: 'string' } },
    };
    return [
      { ...echoTool(), name: 'act', ...acting, execution: { type: 'function', handler: act }, verify, ...more },
      { ...echoTool(), name: 'find_act', ...finding, execution: { type: 'function', handler: find } },
    ];
  }
}

const verify = { tool: 'find_act', parameters: { n: '{n}' }, after_ms: 0 };
const again = (kernel: Kernel, parameters: Parameters = { n: 3 }) => kernel.execute('act', parameters, { once: 'a' });

describe('calls of which it can be found out whether they had their effect', () => {
  let lost: Lost;
  beforeEach(() => {
    lost = new Lost();
  });

  /** The call is lost when this resolves. */
  const lostCall = async (own: Parameters = {}, parameters: Parameters = { n: 3 }, more: Parameters = {}): Promise<Kernel> => {
    const kernel = await testKernel({ tools: lost.tools({ ...verify, ...own }, more), plugins: [callsOnce()] });
    await rejection(again(kernel, parameters), 'EXECUTION_FAILED');
    return kernel;
  };

  const anHourAgo = () => new Date(Date.now() - 3_600_000);

  const found: Readonly<Record<string, { readonly own: Parameters; readonly answer: () => unknown; readonly result: unknown }>> = {
    'the answer of the tool that finds it': { own: {}, answer: () => ({ n: 3 }), result: { n: 3 } },
    'the only one that was found': {
      own: { found: 'output.list.filter(one, one.n == parameters.n)' },
      answer: () => ({ list: [{ n: 2 }, { n: 3 }] }),
      result: { n: 3 },
    },
    'what "result" makes of it': {
      own: { found: 'output.list', result: '{"ok": true, "made": found[0], "count": size(found)}' },
      answer: () => ({ list: ['x'] }),
      result: { ok: true, made: 'x', count: 1 },
    },
    'what "result" makes of it, with all digits of an integer': {
      own: { found: 'output.list', result: '{"id": 7960607143101464577, "small": 7}' },
      answer: () => ({ list: ['x'] }),
      result: { id: '7960607143101464577', small: 7 },
    },
    'the one of the time of the attempt, in any way in which services write times': {
      own: { found: 'output.list.filter(one, during(one.at, attempt))', result: 'found[0].name' },
      answer: () => ({
        list: [
          { name: 'before', at: anHourAgo().toISOString() },
          { name: 'before', at: anHourAgo().toUTCString() },
          { name: 'before', at: anHourAgo().getTime() / 1000 },
          { name: 'after', at: lost.at / 1000 + 3600 },
          { name: 'never', at: null },
          { name: 'now', at: `${new Date(lost.at).toISOString().slice(0, 19)}Z` },
        ],
      }),
      result: 'now',
    },
  };
  for (const [what, { own, answer, result }] of Object.entries(found))
    it(`give ${what}, each time, and are not made again`, async () => {
      const kernel = await lostCall(own);
      lost.answer = answer;
      for (const _ of [1, 2]) expect(await again(kernel)).to.deep.equal(result);
      expect(lost.effects).to.equal(1);
      expect(lost.asked).to.have.length(1);
    });

  for (const [what, written] of [
    ['RFC 2822', (at: number) => new Date(at).toUTCString()],
    ['seconds since 1970', (at: number) => at / 1000],
  ] as const)
    it(`know the time of the attempt in ${what}`, async () => {
      const kernel = await lostCall({ found: '[output].filter(one, during(one.at, attempt))', result: '"found"' });
      lost.answer = () => ({ at: written(lost.at) });
      expect(await again(kernel)).to.equal('found');
    });

  const absent: Readonly<Record<string, { readonly own: Parameters; readonly answer: () => unknown }>> = {
    'nothing is found': { own: { found: 'output.list.filter(one, one.n == parameters.n)' }, answer: () => ({ list: [{ n: 2 }] }) },
    'the tool says NOT_FOUND': {
      own: {},
      answer: () => {
        throw new ToolkitError('NOT_FOUND', 'No.');
      },
    },
  };
  for (const [what, { own, answer }] of Object.entries(absent))
    it(`are made where ${what}`, async () => {
      const kernel = await lostCall(own);
      lost.answer = answer;
      expect(await again(kernel)).to.deep.equal({ effect: 2 });
    });

  const open: Readonly<Record<string, { readonly own: Parameters; readonly answer?: () => unknown; readonly says: string }>> = {
    'several are found': { own: { found: 'output.list' }, answer: () => ({ list: [1, 2] }), says: '2 were found' },
    '"when" does not hold': {
      own: { found: 'output.list', when: 'output.next == null' },
      answer: () => ({ list: [], next: 'more' }),
      says: '"when" does not hold for 0 found',
    },
    'the tool says NOT_FOUND, and there is a "when"': {
      own: { when: 'true' },
      answer: () => {
        throw new ToolkitError('NOT_FOUND', 'No.');
      },
      says: '"find_act" says NOT_FOUND',
    },
    'a moment has no zone': {
      own: { found: '[output].filter(one, during(one.at, attempt))' },
      answer: () => ({ at: '2026-01-05T09:30:00' }),
      says: 'moment',
    },
    'the answer lacks what is looked at': { own: { found: '[output.absent]' }, answer: () => ({}), says: 'absent' },
    'the answer has no list': { own: { found: 'output.list' }, answer: () => ({ list: 'none' }), says: 'gave no list' },
    'a moment is none': { own: { found: '[output].filter(one, during(one.at, attempt))' }, answer: () => ({ at: 'now' }), says: 'moment' },
    'the tool is not there': { own: { tool: 'find_nothing' }, says: 'find_nothing' },
    'the tool may change something': { own: { tool: 'act' }, says: 'expected a tool that only reads' },
    'the tool lacks a parameter': { own: { parameters: { n: '{note}' } }, says: 'expected number' },
  };
  for (const [what, { own, answer, says }] of Object.entries(open))
    it(`stay unknown, and are not made again, where ${what}`, async () => {
      const parameters = { n: 3, note: 'x' };
      const kernel = await lostCall(own, parameters);
      if (answer !== undefined) lost.answer = answer;
      const error = await rejection(again(kernel, parameters), 'OUTCOME_UNKNOWN');
      expect(error.message).to.include(says).and.to.include('another "once"');
      expect(error.retryable).to.equal(false);
      expect(lost.effects).to.equal(1);
    });

  it('can be found out later where what is asked fails for now', async () => {
    const kernel = await lostCall();
    lost.answer = () => {
      throw new ToolkitError('UPSTREAM_UNAVAILABLE', 'Not now.', { retryAfterMs: 7000 });
    };
    const error = await rejection(again(kernel), 'OUTCOME_UNKNOWN');
    expect(error.message).to.include('Not now').and.to.include('with the same "once" in 7 seconds');
    expect(error.details).to.include({ retryable: true, retryAfterMs: 7000 });
    lost.answer = () => 'found';
    expect(await again(kernel)).to.equal('found');
  });

  it('are found at once, but not taken for lost while the service may still work on them', async () => {
    const kernel = await lostCall({ found: 'output.list', after_ms: 3_600_000 });
    lost.answer = () => ({ list: [] });
    const error = await rejection(again(kernel), 'OUTCOME_UNKNOWN');
    expect(error.details.retryAfterMs).to.be.greaterThan(30_000);
    lost.answer = () => ({ list: ['found'] });
    expect(await again(kernel)).to.equal('found');
    expect(lost.effects).to.equal(1);
  });

  it('are asked for with what the call was given, members of it, and when it began', async () => {
    const parameters = { n: '{n}', since: '{begun_at}', name: '{whom.name}', note: '{whom.absent}' };
    const startedAt = Date.now();
    const kernel = await lostCall({ parameters }, { n: 3, whom: { name: '{n} {{n}}' } });
    lost.answer = () => 'found';
    await again(kernel, { n: 3, whom: { name: '{n} {{n}}' } });
    const [{ since, ...rest } = {}] = lost.asked;
    expect(rest).to.deep.equal({ n: 3, name: '{n} {{n}}' });
    expect(since).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    // As early as a clock may be ahead.
    expect(Date.parse(String(since))).to.be.within(startedAt - 121_000, lost.at - 120_000);
  });

  const wrong: Readonly<Record<string, { readonly own: Parameters; readonly says: string }>> = {
    'no expression': { own: { when: 'output.' }, says: 'column 8 of the "when"' },
    'no list': { own: { found: 'size(output)' }, says: 'expected a "found" that is a list' },
    'no condition': { own: { when: '"yes"' }, says: 'expected a "when" that is true or false' },
    'a variable that there is not': { own: { found: '[found]' }, says: 'Variables are output, parameters, attempt' },
  };
  for (const [what, { own, says }] of Object.entries(wrong))
    it(`are refused before they have an effect where an expression is ${what}`, async () => {
      const kernel = await testKernel({ tools: lost.tools({ ...verify, ...own }), plugins: [callsOnce()] });
      const error = await rejection(again(kernel), 'TOOL_INVALID');
      expect(error.message).to.include('"verify" of "act" is wrong').and.to.include(says);
      expect(lost.effects).to.equal(0);
    });

  for (const [what, packages, says] of [
    ['another package', ['a', 'b'], 'of another provider or package'],
    ['its own package', ['a', 'a'], undefined],
  ] as const)
    it(`${says === undefined ? 'may' : 'may not'} be verified by a tool of ${what}`, async () => {
      const [act = {}, find = {}] = lost.tools(verify);
      const brought = definePlugin({
        name: 'brought',
        apiVersion,
        apply({ hooks }) {
          hooks.discover.tap('brought', (sink) => {
            for (const [index, tool] of [act, find].entries())
              sink.addTool(tool, { trust: 'package', package: { name: packages[index] as string, secrets: [] } });
          });
        },
      });
      const kernel = await testKernel({ plugins: [callsOnce(), brought()] });
      await rejection(again(kernel), 'EXECUTION_FAILED');
      lost.answer = () => 'found';
      if (says === undefined) expect(await again(kernel)).to.equal('found');
      else expect((await rejection(again(kernel), 'OUTCOME_UNKNOWN')).message).to.include(says);
      expect(lost.asked).to.have.length(says === undefined ? 1 : 0);
    });
});
