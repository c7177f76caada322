import { expect } from 'chai';
import Type from 'typebox';
import {
  apiVersion,
  type Derivation,
  definePlugin,
  formatProblem,
  type Kernel,
  type LinkResult,
  type Plugin,
} from '../../../../kernel/index.ts';
import { bareKernel } from '../../../support/test-kernel.ts';

/** A cache of definitions that records its requests. */
class Keeper {
  readonly forms = new Map<string, string>();
  readonly languages: string[] = [];
  linked = 0;
  bodies = 0;
  /** How often somebody asked for what was derived. */
  derived = 0;

  /** Reads these definitions at every discovery. */
  plugin(written: readonly Written[]): Plugin {
    return definePlugin({
      name: 'keeper',
      apiVersion,
      apply: ({ hooks }) =>
        hooks.discover.tap('keeper', (sink) => {
          this.languages.push(sink.schemaVersion);
          for (const { definition, kind = 'tool', trust = 'operator', file = '/tools/tool.yaml' } of written) {
            const text = JSON.stringify(definition);
            sink.addCached(
              {
                kind,
                definition: () => {
                  this.linked++;
                  return definition;
                },
                read: (key) => this.#read(`${text} ${key} ${sink.schemaVersion}`),
                store: (key, { head, body, derived }) =>
                  void this.forms.set(`${text} ${key} ${sink.schemaVersion}`, JSON.stringify([head, body(), derived?.()])),
              },
              { trust, file, directory: '/tools', locate: () => ({ line: 7, column: 1 }) },
            );
          }
        }),
    })();
  }

  #read(key: string): LinkResult | undefined {
    const text = this.forms.get(key);
    if (text === undefined) return undefined;
    const [head, body, derived] = JSON.parse(text) as unknown[];
    return {
      head,
      body: () => {
        this.bodies++;
        return body;
      },
      derived: () => {
        this.derived++;
        return derived;
      },
    };
  }
}

interface Written {
  readonly definition: object;
  readonly kind?: 'tool' | 'provider';
  readonly trust?: 'operator' | 'package';
  readonly file?: string;
}

interface Talking {
  readonly fingerprint?: string;
  /** The files that are there. */
  readonly files?: readonly string[];
  readonly keyFingerprint?: string;
  readonly pattern?: string;
}

/** Executes `execution.type: say`, and enforces the key `volume`. */
const talking = ({ fingerprint, files = ['voice'], keyFingerprint = 'v', pattern = '' }: Talking = { fingerprint: 'a' }): Plugin =>
  definePlugin({
    name: 'talking',
    apiVersion,
    apply({ extend, hooks }) {
      extend.execution('say', {
        schema: Type.Object({ text: Type.String({ pattern }), voice: Type.Optional(Type.String()) }),
        risk: () => 'low',
        check: ({ text }) => (text === 'wrong' ? [{ path: 'text', pointer: '/text', message: 'is wrong' }] : []),
        checkFiles: ({ voice = 'voice' }) =>
          files.includes(voice) ? [] : [{ path: 'voice', pointer: '/voice', message: `expected a file, received "${voice}"` }],
        ...(fingerprint === undefined ? {} : { fingerprint }),
      });
      extend.definitionKey('volume', Type.Integer(), keyFingerprint === '' ? {} : { fingerprint: keyFingerprint });
      hooks.execute.for('say').tap('talking', () => ({ output: 'said' }));
    },
  })();

const tool = (more: object = {}, said: object = {}): object => ({
  name: 'bank_say',
  description: 'Says it.',
  parameters: { name: { type: 'string', default: null, example: 'Ada' }, BANK_TOKEN: { type: 'string', auth: true } },
  execution: { type: 'say', text: 'Hello {name} {BANK_TOKEN}', ...said },
  ...more,
});

const provider = (more: object = {}): Written => ({
  definition: { provider: { name: 'bank' }, ...more },
  kind: 'provider',
  file: '/tools/definition.yaml',
});

async function started(keeper: Keeper, written: readonly Written[], plugins: readonly Plugin[] = [talking()]): Promise<Kernel> {
  return bareKernel({ plugins: [...plugins, keeper.plugin(written)] });
}

/** All that can be read of the tools, and what is told of the definitions. */
function readings({ registry }: Kernel): unknown {
  const tools = [...registry.tools.values()].map((one) => ({
    name: one.name,
    description: one.description,
    definition: one.definition,
    execution: one.execution,
    risk: one.risk,
    annotations: one.annotations,
    parameters: one.parameters,
    inputSchema: one.inputSchema,
    outputSchema: one.outputSchema,
    credentials: one.credentials,
    hash: one.hash,
    provider: one.provider?.definition,
  }));
  return JSON.parse(JSON.stringify({ tools, problems: registry.problems }));
}

describe('a definition that was linked before', () => {
  it('is not linked again, and means the same', async () => {
    const keeper = new Keeper();
    const written = [provider({ parameter_mapping: [{ parameter: 'BANK_TOKEN', env_pattern: 'BANK_KEY' }] }), { definition: tool() }];
    const first = readings(await started(keeper, written));
    expect(keeper.linked).to.equal(2);
    const second = readings(await started(keeper, written));
    expect(keeper.linked).to.equal(2);
    expect(second).to.deep.equal(first);
  });

  it('is not looked into by a start, nor by what asks for the secrets of all tools, but once by the first who does', async () => {
    const keeper = new Keeper();
    const written = [{ definition: tool() }];
    await started(keeper, written);
    const kernel = await started(keeper, written);
    await kernel.resolveSecrets();
    expect((await kernel.fingerprints()).size).to.equal(1);
    expect(kernel.registry.get('bank_say').credentials).to.have.length(1);
    expect(keeper.bodies).to.equal(0);
    expect(await kernel.execute('bank_say', {}, { credentials: { BANK_TOKEN: 'x' } })).to.equal('said');
    expect(kernel.registry.get('bank_say').description).to.equal('Says it.');
    expect(keeper.bodies).to.equal(1);
  });

  it('is told of with the same warnings', async () => {
    const keeper = new Keeper();
    const written = [provider({ strange_to_all: 1 }), { definition: tool({ strange_to_all: 1 }) }];
    const first = await started(keeper, written);
    const second = await started(keeper, written);
    expect(keeper.linked).to.equal(2);
    expect(JSON.stringify(second.registry.problems)).to.equal(JSON.stringify(first.registry.problems));
    expect(second.registry.problems.map(formatProblem)).to.have.length(2);
  });

  const changes: readonly { what: string; written?: readonly Written[]; plugins?: readonly Plugin[]; linked?: number }[] = [
    { what: 'its text', written: [provider(), { definition: tool({ description: 'Says more.' }) }] },
    { what: 'the file of its provider', written: [provider({ base_url: 'https://bank.example' }), { definition: tool() }], linked: 2 },
    { what: 'whose it is', written: [provider(), { definition: tool(), trust: 'package' }] },
    { what: 'the code of its execution type', plugins: [talking({ fingerprint: 'b' })] },
    { what: 'the schema of its execution type', plugins: [talking({ fingerprint: 'a', pattern: '.' })] },
    { what: 'the code of a key', plugins: [talking({ fingerprint: 'a', keyFingerprint: 'w' })] },
    {
      what: 'which keys there are',
      plugins: [talking(), definePlugin({ name: 'more', apiVersion, apply: ({ extend }) => extend.reserveKey('colour') })()],
    },
    { what: 'a file that it names, which is gone', plugins: [talking({ fingerprint: 'a', files: [] })] },
  ];
  for (const { what, written = [provider(), { definition: tool() }], plugins = [talking()], linked = 1 } of changes)
    it(`is linked again when this has changed: ${what}`, async () => {
      const keeper = new Keeper();
      await started(keeper, [provider(), { definition: tool() }]);
      keeper.linked = 0;
      await started(keeper, written, plugins);
      expect(keeper.linked).to.be.at.least(linked);
    });

  it('is refused as ever when a file that it names is gone', async () => {
    const keeper = new Keeper();
    await started(keeper, [{ definition: tool() }]);
    const { registry } = await started(keeper, [{ definition: tool() }], [talking({ fingerprint: 'a', files: [] })]);
    expect(registry.tools.size).to.equal(0);
    expect(registry.problems.map(formatProblem)).to.deep.equal(['/tools/tool.yaml:7:1 execution.voice: expected a file, received "voice"']);
  });

  const unkept: readonly { what: string; written: readonly Written[]; plugins?: readonly Plugin[] }[] = [
    { what: 'has an error', written: [{ definition: tool({}, { text: 'wrong' }) }] },
    { what: 'is of a type whose code has no name', written: [{ definition: tool() }], plugins: [talking({})] },
    {
      what: 'says a key whose code has no name',
      written: [{ definition: tool({ volume: 11 }) }],
      plugins: [talking({ fingerprint: 'a', keyFingerprint: '' })],
    },
  ];
  for (const { what, written, plugins = [talking()] } of unkept)
    it(`is linked at every start where it ${what}`, async () => {
      const keeper = new Keeper();
      const first = readings(await started(keeper, written, plugins));
      const second = readings(await started(keeper, written, plugins));
      expect(keeper.linked).to.equal(2);
      expect(second).to.deep.equal(first);
    });

  it('is kept although other tools say a key whose code has no name', async () => {
    const keeper = new Keeper();
    const plugins = () => [talking({ fingerprint: 'a', keyFingerprint: '' })];
    const written = [{ definition: tool({ volume: 11 }) }, { definition: tool({ name: 'bank_whisper' }) }];
    await started(keeper, written, plugins());
    await started(keeper, written, plugins());
    expect(keeper.linked).to.equal(3);
  });

  it('speaks the same language whatever the order of the plugins is', async () => {
    const keeper = new Keeper();
    const more = (name: string) => definePlugin({ name, apiVersion, apply: ({ extend }) => extend.encoding(name, () => '') })();
    await started(keeper, [], [talking(), more('one'), more('two')]);
    await started(keeper, [], [more('two'), more('one'), talking()]);
    expect(new Set(keeper.languages).size).to.equal(1);
  });

  it('yields its name to another tool as ever', async () => {
    const keeper = new Keeper();
    const written = [{ definition: tool() }, { definition: tool({ risk: 'high' }), file: '/tools/other.yaml' }];
    const first = readings(await started(keeper, written));
    expect(readings(await started(keeper, written))).to.deep.equal(first);
    expect(keeper.linked).to.equal(2);
  });
});

describe('what is derived from a tool', () => {
  const made: string[] = [];
  const shout = (fingerprint: string | undefined = 'a'): Derivation<{ text: string }> => ({
    name: 'shout',
    fingerprint,
    of: ({ name, description }) => {
      made.push(name);
      return { text: description.toUpperCase() };
    },
  });
  const deriving = (derivation: Derivation): Plugin =>
    definePlugin({
      name: 'deriving',
      apiVersion,
      apply: ({ hooks }) => hooks.discover.tap('deriving', (sink) => sink.derive(derivation)),
    })();
  const written = [{ definition: tool() }];

  beforeEach(() => {
    made.length = 0;
  });

  for (const isSmall of [false, true])
    it(`is kept with it${isSmall ? ', where a start reads it if it is small' : ''}, and does not look into it`, async () => {
      const keeper = new Keeper();
      const derivation = { ...shout(), isSmall };
      await started(keeper, written, [talking(), deriving(derivation)]);
      expect(made).to.deep.equal(['bank_say']);
      const kernel = await started(keeper, written, [talking(), deriving(derivation)]);
      expect(kernel.registry.get('bank_say').derived?.({ ...derivation })).to.deep.equal({ text: 'SAYS IT.' });
      expect(made).to.deep.equal(['bank_say']);
      expect(keeper.bodies).to.equal(0);
      expect(keeper.derived).to.equal(isSmall ? 0 : 1);
    });

  it('is made when somebody asks where nobody had it kept, once', async () => {
    const kernel = await started(new Keeper(), written);
    const derivation = shout();
    for (let asked = 0; asked < 2; asked++)
      expect(kernel.registry.get('bank_say').derived?.(derivation)).to.deep.equal({ text: 'SAYS IT.' });
    expect(made).to.deep.equal(['bank_say']);
  });

  const anew: readonly { what: string; before: readonly Plugin[]; now: Derivation }[] = [
    { what: 'an earlier start did not make it', before: [], now: shout() },
    { what: 'its code has changed', before: [deriving(shout('a'))], now: shout('b') },
  ];
  for (const { what, before, now } of anew)
    it(`is made at the start when ${what}, and kept from then on`, async () => {
      const keeper = new Keeper();
      await started(keeper, written, [talking(), ...before]);
      made.length = 0;
      await started(keeper, written, [talking(), deriving(now)]);
      expect(made).to.deep.equal(['bank_say']);
      const kernel = await started(keeper, written, [talking(), deriving(now)]);
      kernel.registry.get('bank_say').derived?.(now);
      expect(made).to.deep.equal(['bank_say']);
    });

  it('is not kept where its code has no name', async () => {
    const keeper = new Keeper();
    const nameless: Derivation = { name: 'shout', of: shout().of };
    for (let start = 0; start < 2; start++)
      (await started(keeper, written, [talking(), deriving(nameless)])).registry.get('bank_say').derived?.(nameless);
    expect(made).to.deep.equal(['bank_say', 'bank_say']);
    expect(keeper.linked).to.equal(1);
  });
});
