import { expect } from 'chai';
import type { CachedListing, Kernel, Source, SourceCache } from '../../../kernel/index.ts';
import { makeSource } from './make-source.ts';

/** A cache in memory that holds what files would: JSON. */
class MemoryCache implements SourceCache {
  readonly stored = new Map<string, string>();
  /** Number of parts that were read. */
  reads = 0;

  read(key: string): CachedListing | undefined {
    const text = this.stored.get(key);
    if (text === undefined) return undefined;
    const { head, parts } = JSON.parse(text) as { head: unknown; parts: readonly unknown[] };
    return {
      head,
      length: parts.length,
      part: (index) => {
        this.reads++;
        return structuredClone(parts[index]);
      },
    };
  }

  store(key: string, { head, length, part }: CachedListing): void {
    const parts = Array.from({ length }, (_, index) => part(index));
    this.stored.set(key, JSON.stringify({ head, parts }));
  }
}

const provider = {
  provider: { name: 'made' },
  parameter_mapping: [{ parameter: 'token', env_pattern: 'MADE_TOKEN' }],
  $defs: { shelf: { type: 'object', properties: { size: { type: 'integer' }, next: { $ref: '#/$defs/shelf' } } } },
};

const count = {
  name: 'count',
  description: 'Counts a shelf.',
  input_schema: { type: 'object', properties: { shelf: { $ref: '#/$defs/shelf' } }, additionalProperties: false },
  execution: { type: 'made', token: '{token}' },
};

/** A source of one version, and how often its definitions were generated. */
function versioned(cache: SourceCache, more: Partial<Source> & { readonly tools?: readonly object[]; readonly version?: string } = {}) {
  const { tools = [count], version = '1', ...rest } = more;
  const world = { generated: 0 };
  const source: Source = {
    cache,
    ...rest,
    list({ sink }) {
      if (sink.useCached(version)) return;
      world.generated++;
      sink.addProvider(provider);
      for (const tool of tools) sink.addTool(tool);
      sink.addProblem({ severity: 'warning', message: 'the operation "old" is left out' });
    },
  };
  return { world, source };
}

interface Shown {
  readonly names: readonly string[];
  readonly hashes: readonly string[];
  readonly schemas: readonly unknown[];
  readonly problems: readonly string[];
}

function shown({ registry }: Kernel): Shown {
  const tools = [...registry.tools.values()].filter(({ origin }) => origin.source !== undefined);
  return {
    names: tools.map(({ name }) => name),
    hashes: tools.map(({ hash }) => hash),
    schemas: tools.map(({ inputSchema, definition, risk, credentials }) => ({ inputSchema, definition, risk, credentials })),
    problems: registry.problems.map(({ message }) => message),
  };
}

describe('a cached listing of a source', () => {
  it('gives another kernel the same tools, without generating any', async () => {
    const cache = new MemoryCache();
    const first = versioned(cache);
    const cold = shown(await makeSource(first.source));
    const second = versioned(cache);
    const kernel = await makeSource(second.source);
    expect(shown(kernel)).to.deep.equal(cold);
    expect([first.world.generated, second.world.generated]).to.deep.equal([1, 0]);
    expect(cold.names).to.deep.equal(['made_count']);
    expect(await kernel.execute('made_count', { shelf: { size: 1 } }, { credentials: { token: 'x' } })).to.equal('Counts a shelf.');
  });

  it('reads no definition before a tool is used', async () => {
    const cache = new MemoryCache();
    await makeSource(versioned(cache).source);
    const kernel = await makeSource(versioned(cache).source);
    expect([cache.reads, kernel.registry.tools.get('made_count')?.hash.length]).to.deep.equal([0, 64]);
    expect(kernel.registry.get('made_count').description).to.equal('Counts a shelf.');
    expect(cache.reads).to.equal(1);
  });

  it('brings the problems of what is refused along', async () => {
    const cache = new MemoryCache();
    const foreign = { ...count, name: 'steal', execution: { type: 'made', token: '{GITHUB_TOKEN}' } };
    const broken = { ...count, name: 'broken', input_schema: { type: 'object', properties: { shelf: { $ref: '#/$defs/none' } } } };
    const cold = shown(await makeSource(versioned(cache, { tools: [count, foreign, broken] }).source));
    const warm = shown(await makeSource(versioned(cache, { tools: [count, foreign, broken] }).source));
    expect(warm).to.deep.equal(cold);
    expect(cold.names).to.deep.equal(['made_count']);
    expect(cold.problems.join('\n'))
      .to.match(/GITHUB_TOKEN/)
      .and.match(/none/)
      .and.match(/"old" is left out/);
  });

  const other: Readonly<Record<string, Partial<Source> & { readonly version?: string }>> = {
    'another version': { version: '2' },
    'other secrets': { secrets: ['SHOP_TOKEN'] },
    'other execution types': { executionTypes: ['http'] },
    'other URLs of the operator': { urls: ['http://127.0.0.1:8080'] },
  };
  for (const [title, options] of Object.entries(other))
    it(`is not used for ${title}`, async () => {
      const cache = new MemoryCache();
      await makeSource(versioned(cache).source);
      const { world, source } = versioned(cache, options);
      await makeSource(source);
      expect(world.generated).to.equal(1);
    });

  const broken: Readonly<Record<string, CachedListing | undefined>> = {
    'with a head of another form': { head: { items: 7 }, length: 0, part: () => undefined },
    'without a head': { head: null, length: 0, part: () => undefined },
  };
  for (const [title, listing] of Object.entries(broken))
    it(`${title} is listed anew`, async () => {
      const { world, source } = versioned({ read: () => listing, store: () => {} });
      expect(shown(await makeSource(source)).names).to.deep.equal(['made_count']);
      expect(world.generated).to.equal(1);
    });

  it('that cannot be read or written costs nothing but time', async () => {
    const fail = (): never => {
      throw new Error('no space left');
    };
    const { world, source } = versioned({ read: fail, store: fail });
    expect(shown(await makeSource(source)).names).to.deep.equal(['made_count']);
    expect(world.generated).to.equal(1);
  });

  it('of the same version keeps all tools when the source is listed again', async () => {
    const { world, source } = versioned(new MemoryCache());
    const kernel = await makeSource(source);
    const before = kernel.registry.get('made_count');
    await kernel.sources.relist('made');
    expect(kernel.registry.get('made_count')).to.equal(before);
    expect(world.generated).to.equal(1);
  });

  it('does not accept a change: what a person has not seen stays withheld', async () => {
    const cache = new MemoryCache();
    let version = '1';
    const list: Source['list'] = ({ sink }) => {
      if (!sink.useCached(version))
        sink.addTool({ ...count, input_schema: { type: 'object' }, description: `Edition ${version}.`, execution: { type: 'made' } });
    };
    const kernel = await makeSource({ cache, list });
    version = '2';
    await kernel.sources.relist('made');
    await kernel.sources.relist('made');
    expect(() => kernel.registry.get('made_count')).to.throw(/withheld until a person accepts it/);
    expect(kernel.sources.pending().map(({ name, differs }) => [name, differs])).to.deep.equal([['made_count', ['description']]]);
    await kernel.sources.accept();
    expect(kernel.registry.get('made_count').description).to.equal('Edition 2.');
  });

  it('takes nothing more after it was found', async () => {
    const cache = new MemoryCache();
    await makeSource(versioned(cache).source);
    const kernel = await makeSource({
      cache,
      list({ sink }) {
        sink.useCached('1');
        sink.addTool(count);
      },
    });
    expect(kernel.sources.list()[0]).to.deep.include({ state: 'down', tools: 0 });
    expect(kernel.sources.list()[0]?.failure).to.match(/returned true, so add nothing/);
  });

  it('is not asked for after something was added', async () => {
    const kernel = await makeSource({
      list({ sink }) {
        sink.addTool({ ...count, input_schema: undefined });
        sink.useCached('1');
      },
    });
    expect(kernel.sources.list()[0]?.failure).to.match(/before anything is added/);
  });

  it('needs a cache with both functions', async () => {
    const kernel = makeSource({ cache: { read: () => undefined } as never, list: () => {} });
    expect(await kernel.catch((error: unknown) => String(error))).to.match(/"cache" to be an object \{ read, store \}/);
  });
});
