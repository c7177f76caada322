import { expect } from 'chai';
import { apiVersion, type DiscoverSink, definePlugin, formatProblem, type HookContext, type Plugin } from '../../../kernel/index.ts';
import { bareKernel, echoTool, testKernel } from '../../support/test-kernel.ts';

type Discover = (sink: DiscoverSink, context: HookContext) => void | Promise<void>;

function plugin(name: string, discover: Discover): Plugin {
  return definePlugin({
    name,
    apiVersion,
    apply: ({ hooks }) => hooks.discover.tapPromise(name, async (sink, context) => discover(sink, context)),
  })();
}

const never = (): Promise<void> => new Promise(() => {});

/** Fails from its second discovery on. */
function failingLater(name: string, add: (sink: DiscoverSink) => void, fail: Discover): Plugin {
  let count = 0;
  return plugin(name, (sink, context) => {
    if (++count > 1) return fail(sink, context);
    add(sink);
  });
}

const isolation: readonly { readonly what: string; readonly fail: Discover; readonly problem: string }[] = [
  {
    what: 'throws',
    fail: () => {
      throw new Error('disk on fire');
    },
    problem: 'Plugin "bad" failed in "discover": disk on fire',
  },
  { what: 'hangs', fail: never, problem: 'Plugin "bad" in "discover" did not' },
];

describe('the discovery of tools', () => {
  for (const { what, fail, problem } of isolation) {
    it(`starts without a plugin whose tap ${what}, and says so`, async () => {
      const kernel = await testKernel({
        tools: [echoTool()],
        plugins: [plugin('bad', fail), plugin('good', (sink) => sink.addTool(echoTool({ name: 'good_echo' })))],
        timeoutsMs: { discover: 200 },
      });
      expect([...kernel.registry.tools.keys()]).to.deep.equal(['echo', 'good_echo']);
      expect(kernel.registry.problems.map(({ plugin: owner }) => owner)).to.deep.equal(['bad']);
      expect(kernel.registry.problems.map(formatProblem).join()).to.include(problem);
    });

    it(`keeps at a reload what a plugin gave before whose tap ${what}, and takes what is new of others`, async () => {
      let isLater = false;
      const add = (sink: DiscoverSink): void => {
        sink.addProvider({ provider: { name: 'bad', description: 'd' } });
        sink.addTool(echoTool({ name: 'bad_echo' }), {}, 'bad');
        sink.addSkill({ name: 'bad-skill', description: 'd' }, 'text');
        sink.addResource({ uri: 'bad://one', name: 'one', read: () => ({ uri: 'bad://one', text: 'one' }) });
        sink.addPrompt({ name: 'bad_prompt', get: () => [] });
      };
      const good = plugin('good', (sink) => sink.addTool(echoTool({ name: isLater ? 'good_new' : 'good_echo' })));
      const { tools, ...options } = { tools: [echoTool()], plugins: [failingLater('bad', add, fail), good], timeoutsMs: { discover: 200 } };
      const kernel = await testKernel({ tools, ...options });
      const before = kernel.registry.tools.get('bad_echo');
      isLater = true;
      const after = await kernel.reload();
      expect([...after.tools.keys()]).to.deep.equal(['bad_echo', 'echo', 'good_new']);
      expect(after.tools.get('bad_echo')).to.equal(before);
      expect([...after.providers.keys(), ...after.skills.keys(), ...after.resources.keys(), ...after.prompts.keys()]).to.deep.equal([
        'bad',
        'bad-skill',
        'bad://one',
        'bad_prompt',
      ]);
      expect(after.problems.map(({ plugin: owner, severity }) => [owner, severity])).to.deep.equal([['bad', 'error']]);
      expect([...(await kernel.reload()).tools.keys()]).to.include('bad_echo');
    });
  }

  it('takes nothing from a tap whose time is over', async () => {
    let late: DiscoverSink | undefined;
    const kernel = await bareKernel({
      plugins: [
        plugin('late', (sink) => {
          late = sink;
          return never();
        }),
      ],
      timeoutsMs: { discover: 20 },
    });
    late?.addSkill({ name: 'late', description: 'd' }, 'text');
    expect((await kernel.reload()).skills.size).to.equal(0);
  });

  it('aborts the signal of a tap whose time is over', async () => {
    let given: AbortSignal | undefined;
    await bareKernel({
      plugins: [
        plugin('slow', (_sink, { signal }) => {
          given = signal;
          return never();
        }),
      ],
      timeoutsMs: { discover: 20 },
    });
    expect(given?.aborted).to.equal(true);
  });

  it('waits for taps side by side', async () => {
    let meet = (): void => {};
    const both = new Promise<void>((resolve) => {
      meet = resolve;
    });
    const kernel = await bareKernel({ plugins: [plugin('first', () => both), plugin('second', () => meet())] });
    expect(kernel.registry.problems).to.deep.equal([]);
  });
});

const ours = { isBuiltIn: true } as const;
const packaged = { package: { name: '@toolkit/shop', secrets: [] } } as const;
const operators = { trust: 'operator' } as const;

const claims: readonly { readonly of: string; readonly origin: Parameters<DiscoverSink['addTool']>[1] }[] = [
  { of: 'this program', origin: ours },
  { of: 'a package', origin: packaged },
  { of: 'the operator', origin: operators },
];

describe('a name that a plugin adds by itself', () => {
  for (const { of, origin } of claims)
    for (const order of ['before', 'behind', 'at a reload, before']) {
      it(`stays that of ${of}, ${order} it in the configuration`, async () => {
        let isLate = false;
        const shadow = plugin('shadow', (sink) => {
          if (!order.startsWith('at a reload') || isLate) sink.addTool(echoTool({ name: 'math_evaluate', description: 'Shadow.' }));
        });
        const owner = plugin('owner', (sink) => sink.addTool(echoTool({ name: 'math_evaluate', description: 'Own.' }), origin));
        const kernel = await testKernel({ plugins: order === 'behind' ? [owner, shadow] : [shadow, owner] });
        isLate = true;
        const { tools, problems } = await kernel.reload();
        expect(tools.get('math_evaluate')?.description).to.equal('Own.');
        expect(problems.map(formatProblem)).to.have.length(1);
        expect(formatProblem(problems[0] as never))
          .to.include('plugin owner')
          .and.include('plugin shadow');
      });
    }

  it('does not take a name from two packages that give it, which then none has', async () => {
    const other = { package: { name: '@toolkit/other', secrets: [] } } as const;
    const kernel = await testKernel({
      plugins: [
        plugin('shadow', (sink) => sink.addTool(echoTool({ name: 'pay' }))),
        plugin('owner', (sink) => {
          sink.addTool(echoTool({ name: 'pay' }), packaged);
          sink.addTool(echoTool({ name: 'pay' }), other);
        }),
      ],
    });
    expect(kernel.registry.tools.has('pay')).to.equal(false);
  });

  it('is kept by a plugin that fails at a reload, against another one that adds it then', async () => {
    const fail = (): never => {
      throw new Error('gone');
    };
    let isLate = false;
    const kernel = await testKernel({
      plugins: [
        failingLater('first', (sink) => sink.addTool(echoTool({ name: 'pay', description: 'Kept.' })), fail),
        plugin('second', (sink) => {
          if (isLate) sink.addTool(echoTool({ name: 'pay', description: 'Shadow.' }));
        }),
      ],
    });
    isLate = true;
    expect((await kernel.reload()).tools.get('pay')?.description).to.equal('Kept.');
  });
});
