import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { Shelf, ShelfSource } from '../../../fixtures/plugins/toolkit-plugin-shelf/shelf.js';
import { apiVersion, definePlugin, type Source, type SourceContext } from '../../../kernel/index.ts';
import { confinePaths } from '../../../plugins/confine-paths/index.ts';
import { executorCommand } from '../../../plugins/executor-command/index.ts';
import { executorHttp } from '../../../plugins/executor-http/index.ts';
import { guardOutbound } from '../../../plugins/guard-outbound/index.ts';
import { json, loopback } from '../../support/loopback.ts';
import { rejection } from '../../support/rejection.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { echoTool, testKernel } from '../../support/test-kernel.ts';
import { until } from '../../support/until.ts';
import { makeSource, sourcePlugin } from './make-source.ts';
import { find, problemsOf, shelfPlugin, shelfWorld } from './shelf.ts';

const bad: readonly { readonly what: string; readonly shelf: Shelf; readonly state: string; readonly problem: string }[] = [
  { what: 'throws', shelf: { fail: 'disk on fire' }, state: 'down', problem: 'could not be listed: disk on fire' },
  { what: 'hangs', shelf: { hang: true }, state: 'down', problem: 'could not be listed: it took longer than its time limit, 1000 ms' },
  { what: 'refuses its token', shelf: { denied: true }, state: 'needs-auth', problem: 'the shelf refuses its token' },
  {
    what: 'floods',
    shelf: { flood: 100_000 },
    state: 'down',
    problem: 'lists more than 10,000 things, so this listing is not used',
  },
];

/** Only what hangs has a limit of its own that is reached. */
function limited({ hang = false }: Shelf): Partial<ShelfSource> {
  return hang ? { source: { timeoutMs: 1000 } } : {};
}

describe('a source that cannot be listed', () => {
  for (const { what, shelf, state, problem } of bad) {
    it(`takes nothing from others at the start, and says why: one that ${what}`, async () => {
      const { kernel, names } = await shelfWorld({
        shelf: { tools: [find], ...shelf },
        options: limited(shelf),
        tools: [echoTool()],
        plugins: [sourcePlugin({ list: ({ sink }) => sink.addTool({ ...find, execution: { type: 'made' } }) })],
      });
      expect(names()).to.deep.equal(['echo', 'made_find']);
      expect(problemsOf(kernel).join()).to.include('The source "shelf" of plugin "shelf"').and.include(problem);
      expect(kernel.status()).to.have.nested.property('sources.shelf.state', state);
      expect(kernel.status()).to.have.nested.property('sources.made.state', 'ready');
    });

    it(`keeps at a reload what it gave before: one that ${what}`, async () => {
      const { kernel, names, write, call } = await shelfWorld({ options: limited(shelf), tools: [echoTool()] });
      const same = kernel.registry.tools.get('shelf_find');
      await write({ tools: [{ ...find, description: 'Other.' }], ...shelf });
      await kernel.reload();
      expect(names()).to.deep.equal(['echo', 'shelf_find']);
      expect(kernel.registry.tools.get('shelf_find')).to.equal(same);
      expect(await call('shelf_find')).to.equal('Finds a thing.');
      expect(kernel.sources.list()).to.have.nested.property('[0].state', state === 'down' ? 'degraded' : state);
      await write({ tools: [find] });
      await kernel.reload();
      expect(kernel.sources.list()[0]).to.include({ state: 'ready', tools: 1 }).and.not.have.property('failure');
    });
  }

  it('does not wait for others, nor they for it', async () => {
    let meet = (): void => {};
    const met = new Promise<void>((resolve) => {
      meet = resolve;
    });
    const kernel = await testKernel({
      plugins: [
        sourcePlugin({ list: () => met }, 'one'),
        sourcePlugin({ list: () => meet() }, 'two'),
        definePlugin({ name: 'tap', apiVersion, apply: ({ hooks }) => hooks.discover.tapPromise('tap', () => met) })(),
      ],
    });
    expect(kernel.sources.list().map(({ state }) => state)).to.deep.equal(['ready', 'ready']);
  });

  it('is one of many, of which Node does not warn', async () => {
    const warnings: Error[] = [];
    const warn = (warning: Error): void => void warnings.push(warning);
    process.on('warning', warn);
    const taps = Array.from({ length: 15 }, (_, index) =>
      definePlugin({ name: `tap-${index}`, apiVersion, apply: ({ hooks }) => hooks.discover.tap('tap', () => {}) })(),
    );
    const sources = Array.from({ length: 15 }, (_, index) => sourcePlugin({ list: () => {}, watch: () => () => {} }, `s${index}`));
    await testKernel({ plugins: [...taps, ...sources] });
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', warn);
    expect(warnings).to.deep.equal([]);
  });

  it('is listed again after a while, it alone, and its first listing is taken then', async () => {
    let fails = true;
    let others = 0;
    const list: Source['list'] = ({ sink }) => {
      if (fails) throw new Error('not yet');
      sink.addTool({ ...find, execution: { type: 'made' } });
    };
    const kernel = await testKernel({
      plugins: [sourcePlugin({ list, retryDelayMs: 20 }), sourcePlugin({ list: () => void others++ }, 'other')],
    });
    expect(kernel.sources.list()[0]).to.include({ state: 'down', tools: 0 });
    fails = false;
    await until(() => kernel.registry.tools.get('made_find'));
    expect(kernel.sources.list()[0]).to.include({ state: 'ready', tools: 1 });
    expect(others).to.equal(1);
  });

  for (const when of ['its time is over', 'the kernel closes'])
    it(`ends what it has started when ${when}`, async () => {
      const folder = await temporaryFolder();
      const child = path.join(folder, 'pid');
      const { kernel, write } = await shelfWorld({ options: { source: { timeoutMs: when === 'its time is over' ? 2000 : 60_000 } } });
      await write({ child, hang: true });
      const reloading = kernel.reload();
      const pid = await until(async () => (existsSync(child) ? Number(await readFile(child, 'utf8')) || undefined : undefined));
      if (when === 'the kernel closes') await kernel.close();
      await until(() => (isThere(pid) ? undefined : true));
      await reloading.catch(() => {});
    });
});

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const long = 'x'.repeat(1_000_001);
const deep = JSON.parse(`${'{"a":'.repeat(70)}1${'}'.repeat(70)}`) as object;
const circle: Record<string, unknown> = { ...find };
circle['x-circle'] = circle;

const leftOut: readonly { readonly what: string; readonly tool: unknown; readonly problem: string }[] = [
  { what: 'is too long', tool: { ...find, description: long }, problem: 'has more than 1,000,000 characters: it is left out' },
  { what: 'is too deep', tool: { ...find, 'x-deep': deep }, problem: 'is nested deeper than 64 levels' },
  { what: 'is a circle', tool: circle, problem: 'is nested deeper than 64 levels' },
  { what: 'is no object', tool: 'rm -rf', problem: 'is no object with keys' },
  { what: 'has no name', tool: { description: 'd' }, problem: 'has no name: expected a text, received nothing' },
  { what: 'has the name of another', tool: { ...find, name: 'made_good' }, problem: 'lists the tool "made_good" twice; the first is kept' },
  { what: 'is no definition', tool: { name: 'odd' }, problem: 'tool "made_odd": is required' },
];

describe('a definition that a source lists', () => {
  for (const { what, tool, problem } of leftOut)
    it(`is left out alone where it ${what}, and the source says so`, async () => {
      const kernel = await makeSource({
        list: ({ sink }) => {
          sink.addTool({ name: 'good', description: 'd', execution: { type: 'made' } });
          sink.addTool(typeof tool === 'object' ? { execution: { type: 'made' }, ...tool } : tool);
        },
      });
      expect([...kernel.registry.tools.keys()]).to.deep.equal(['made_good']);
      expect(problemsOf(kernel).join()).to.include('the source "made"').and.include(problem);
      expect(problemsOf(kernel).join().length).to.be.below(2000);
      expect(kernel.sources.list()).to.have.nested.property('[0].state', 'degraded');
    });

  it('holds the whole listing to its length, also where the source takes no notice', async () => {
    const description = 'x'.repeat(900_000);
    const kernel = await makeSource({
      list: ({ sink }) => {
        for (let index = 0; index < 80; index++)
          try {
            sink.addTool({ name: `t${index}`, description, execution: { type: 'made' } });
          } catch {}
      },
    });
    expect(kernel.registry.tools.size).to.equal(0);
    expect(problemsOf(kernel).join()).to.include('definitions of more than 64,000,000 characters together');
  });

  it('is one of a hundred problems at most', async () => {
    const kernel = await makeSource({
      list: ({ sink }) => {
        for (let index = 0; index < 1000; index++) sink.addProblem({ severity: 'error', message: `${index} ${long}` });
      },
    });
    expect(problemsOf(kernel)).to.have.length(101);
    expect(problemsOf(kernel).at(-1)).to.include('and 900 more problems');
  });

  const local = { execution: { type: 'command', command: 'id' } };
  const http = { execution: { type: 'http', method: 'get', url: 'https://api.example/' } };
  const refused: readonly { readonly what: string; readonly tool: object; readonly provider?: object; readonly problem: string }[] = [
    { what: 'runs a command', tool: local, problem: 'is executed as "command", which the source may not: expected made or http' },
    { what: 'runs a function', tool: { execution: { type: 'function', code: './x.js#y' } }, problem: 'is executed as "function"' },
    {
      what: 'names the secret of another',
      tool: { execution: { ...http.execution, headers: { Authorization: 'Bearer {GITHUB_TOKEN}' } } },
      problem: 'names the secret GITHUB_TOKEN, which is not its own: expected one that begins with MADE_',
    },
    { what: 'lists the secret of another', tool: { ...http, secrets: ['GITHUB_TOKEN'] }, problem: 'names the secret GITHUB_TOKEN' },
    {
      what: 'maps the secret of another',
      tool: { execution: { ...http.execution, query_params: { q: '{Q}' } } },
      provider: { parameter_mapping: [{ parameter: 'Q', env_pattern: 'DATABASE_URL', secret: false }] },
      problem: 'names the value DATABASE_URL, which is not its own',
    },
    {
      what: 'has callers name secrets',
      tool: { ...http, parameters: { which: { type: 'string', names_secret: true } } },
      problem: 'names_secret',
    },
    {
      what: 'names the provider of another',
      tool: { ...http, provider: 'github' },
      problem: 'with the provider "made_github", which it does not list',
    },
  ];

  for (const { what, tool, provider, problem } of refused)
    it(`is left out where it ${what}`, async () => {
      const { provider: named, ...definition } = tool as { readonly provider?: string };
      const kernel = await makeSource(
        {
          list: ({ sink }) => {
            if (provider !== undefined) sink.addProvider({ provider: { name: 'made', description: 'd' }, ...provider });
            sink.addTool({ ...find, ...definition }, named);
          },
          executionTypes: ['http'],
        },
        {
          plugins: [executorCommand(), executorHttp()],
          providers: [{ provider: { name: 'github', description: 'd' }, base_url: 'https://api.github.example' }],
        },
      );
      expect([...kernel.registry.tools.keys()]).to.deep.equal([]);
      expect(problemsOf(kernel).join()).to.include(problem);
      expect(kernel.registry.openNames.size).to.equal(0);
    });

  it('may use secrets under its own name, and those that its plugin has let it', async () => {
    const url = 'https://api.example/';
    const kernel = await makeSource(
      {
        list: ({ sink }) =>
          sink.addTool({ ...find, execution: { type: 'http', method: 'get', url, headers: { a: '{MADE_TOKEN}', b: '{SHOP_TOKEN}' } } }),
        executionTypes: ['http'],
        secrets: ['SHOP_TOKEN'],
      },
      { plugins: [executorHttp()] },
    );
    expect(kernel.registry.tools.get('made_find')?.credentials.map(({ secret }) => secret)).to.deep.equal(['MADE_TOKEN', 'SHOP_TOKEN']);
  });
});

describe('what a listing is given', () => {
  it('is a fetch that reaches private hosts only where the operator named them', async () => {
    const { url, requests } = await loopback(({ url: asked }, response) =>
      json(response, asked === '/own' ? { tools: [find], fetch: `${other.url}/canary` } : {}),
    );
    const other = await loopback((_request, response) => json(response, {}));
    const kernel = await testKernel({ plugins: [guardOutbound(), shelfPlugin({ sources: { shelf: { document: `${url}/own` } } })] });
    expect(requests.map(({ url: asked }) => asked)).to.deep.equal(['/own']);
    expect(other.requests).to.deep.equal([]);
    expect(problemsOf(kernel).join()).to.include('127.0.0.1');
  });

  it('is a fetch that sends nothing once the listing is over', async () => {
    const { url, requests } = await loopback((_request, response) => json(response, {}));
    let context: SourceContext | undefined;
    await makeSource({
      list: (given) => {
        context = given;
      },
      urls: [url],
    });
    const { message } = await rejection((context as SourceContext).fetch(url), 'ABORTED');
    expect(message).to.include('The listing of the source "made" is over');
    expect(requests).to.deep.equal([]);
  });

  it('is the folders that tools may use', async () => {
    const root = await temporaryFolder();
    let roots: readonly string[] = [];
    const list: Source['list'] = (given) => {
      roots = given.roots;
    };
    await makeSource({ list }, { plugins: [confinePaths({ roots: [root] })] });
    expect(roots).to.deep.equal([root]);
  });

  it('is a private host for the calls of its tools, where the operator named it', async () => {
    const { url, requests } = await loopback((_request, response) => json(response, { ok: true }));
    const tool = (name: string, to: string) => ({ name, description: 'd', execution: { type: 'http', method: 'get', url: to } });
    const kernel = await makeSource(
      {
        list: ({ sink }) => {
          sink.addTool(tool('named', url));
          sink.addTool(tool('other', 'http://127.0.0.2:1/'));
        },
        executionTypes: ['http'],
        urls: [url],
      },
      { plugins: [executorHttp(), guardOutbound()] },
    );
    expect(await kernel.execute('made_named')).to.deep.equal({ ok: true });
    await rejection(kernel.execute('made_other'), 'OUTBOUND_BLOCKED');
    expect(requests).to.have.length(1);
  });
});

describe('a source that says that it has changed', () => {
  it('is listed again once for many times, it alone, and one reload is told', async () => {
    let changed = (): void => {};
    const counts = { made: 0, other: 0, reloads: 0 };
    const kernel = await testKernel({
      plugins: [
        sourcePlugin({
          list: ({ sink }) => sink.addTool({ name: `t${++counts.made}`, description: 'd', execution: { type: 'made' } }),
          watch: (tell) => {
            changed = tell;
          },
          trust: 'all',
        }),
        sourcePlugin(
          {
            list: ({ sink }) => {
              counts.other++;
              sink.addTool({ ...find, execution: { type: 'other' } });
            },
          },
          'other',
        ),
      ],
    });
    const same = kernel.registry.tools.get('other_find');
    const reloaded = new Promise((resolve) => kernel.onReload(resolve));
    kernel.onReload(() => counts.reloads++);
    for (let times = 0; times < 100; times++) changed();
    await reloaded;
    expect([...kernel.registry.tools.keys()]).to.deep.equal(['made_t2', 'other_find']);
    expect(kernel.registry.tools.get('other_find')).to.equal(same);
    expect(counts).to.deep.equal({ made: 2, other: 1, reloads: 1 });
  });

  it('is ended with the kernel', async () => {
    let hasEnded = false;
    const end = (): void => {
      hasEnded = true;
    };
    const kernel = await makeSource({ list: () => {}, watch: () => end });
    await kernel.close();
    expect(hasEnded).to.equal(true);
  });

  it('may say that it cannot be reached: what it gave stays, and it is tried again', async () => {
    let changed = (_error?: unknown): void => {};
    let lists = 0;
    const kernel = await makeSource({
      list: ({ sink }) => {
        lists++;
        sink.addTool({ ...find, execution: { type: 'made' } });
      },
      watch: (tell) => {
        changed = tell;
      },
      retryDelayMs: 20,
    });
    changed(new Error('connection lost'));
    expect(kernel.sources.list()[0]).to.include({ state: 'degraded', tools: 1 });
    await until(() => (lists > 1 && kernel.sources.list()[0]?.state === 'ready' ? true : undefined));
  });

  it('starts without a watch where that fails', async () => {
    const kernel = await makeSource({
      list: ({ sink }) => sink.addTool({ ...find, execution: { type: 'made' } }),
      watch: () => {
        throw new Error('no watch');
      },
    });
    expect([...kernel.registry.tools.keys()]).to.deep.equal(['made_find']);
  });
});
