import { expect } from 'chai';
import Type from 'typebox';
import { apiVersion, type Command, definePlugin, type Overrides, type Plugin, ToolkitError } from '../../../../kernel/index.ts';
import { withOptionFlags } from '../../../../plugins/toolkit/program/option-flags.ts';

const shop = definePlugin({
  name: 'shop',
  apiVersion,
  optionsSchema: Type.Object({
    currency: Type.Optional(Type.Enum(['EUR', 'CHF'], { default: 'EUR' })),
    maxItems: Type.Optional(Type.Integer({ minimum: 1, maximum: 9 })),
    brands: Type.Optional(Type.Array(Type.String())),
    open: Type.Optional(Type.Boolean()),
  }),
  flags: {
    currency: { flag: '-c, --currency <code>', description: 'money' },
    maxItems: { flag: '--items <number>', description: 'at most so many' },
    brands: { flag: '--brands <names>', description: 'comma-separated brands' },
    open: { flag: '--always-open', description: 'without hours' },
  },
  apply() {},
});

/** Runs a command of these topics, and returns the overrides of its kernel. */
async function overridesOf(
  flags: Readonly<Record<string, unknown>>,
  {
    plugins = [shop()],
    listed = ['shop'],
    own = {} as Overrides,
    ...rest
  }: Partial<Command> & { plugins?: Plugin[]; listed?: string[]; own?: Overrides },
): Promise<Overrides | undefined> {
  let found: Overrides | undefined;
  const run: Command['run'] = async ({ createKernel }) => void (await createKernel(own));
  const command = withOptionFlags({ name: 'sell', description: 'Sells.', topics: ['serve'], ...rest, run }, plugins, new Set(listed));
  const createKernel = async (given: unknown) => {
    found = typeof given === 'function' ? given() : given;
  };
  await command.run({ flags, createKernel } as never);
  return found;
}

describe('the flags of plugins in a command', () => {
  const { flags = [] } = withOptionFlags({ name: 'sell', description: '', topics: ['serve'], run: async () => {} }, [shop()], new Set());

  it('have the default and the words of the schema', async () => {
    const [currency] = flags;
    expect(currency?.description).to.equal('money (default: EUR)');
    expect(await currency?.complete?.({} as never)).to.deep.equal(['EUR', 'CHF']);
  });

  for (const { index, text, value } of [
    { index: 0, text: 'CHF', value: 'CHF' },
    { index: 1, text: '9', value: 9 },
    { index: 2, text: 'a, b', value: ['a', 'b'] },
  ])
    it(`are read by the schema: ${text}`, () => expect(flags[index]?.parse?.(text)).to.deep.equal(value));

  for (const { index, text, message } of [
    { index: 0, text: 'USD', message: 'expected EUR or CHF, received "USD"' },
    { index: 1, text: '10', message: 'expected a whole number from 1 to 9, received "10"' },
  ])
    it(`are refused by the schema: ${text}`, () => expect(() => flags[index]?.parse?.(text)).to.throw(message));

  it('are those of the topics of the command', () => {
    const run = async (): Promise<void> => {};
    expect(withOptionFlags({ name: 'look', description: '', topics: ['tools'], run }, [shop()], new Set()).flags).to.deep.equal([]);
  });

  it('set the options that they name, and take precedence over what the command sets', async () => {
    const own = { shop: { currency: 'EUR', open: false }, other: { a: 1 } };
    const overrides = await overridesOf({ currency: 'CHF', items: 3, alwaysOpen: true }, { own });
    expect(overrides).to.deep.equal({ shop: { currency: 'CHF', maxItems: 3, open: true }, other: { a: 1 } });
  });

  it('override nothing of a plugin that is not listed, unless one is given', async () => {
    expect(await overridesOf({}, { listed: [] })).to.deep.equal({});
    expect(await overridesOf({ items: 3 }, { listed: [] })).to.deep.equal({ shop: { maxItems: 3 } });
  });

  it('have the default of the command, in the help and in its run', async () => {
    expect(await overridesOf({}, { flagDefaults: { currency: 'CHF' } })).to.deep.equal({ shop: { currency: 'CHF' } });
  });

  it('are combined by the plugin, which gets the options of the configuration', async () => {
    const combining = definePlugin({
      name: 'combining',
      apiVersion,
      optionsSchema: Type.Object({ limit: Type.Optional(Type.Integer()), isStrict: Type.Optional(Type.Boolean()) }),
      flags: { limit: { flag: '--limit <number>', description: 'so many' } },
      combineFlags(given, { isStrict }) {
        if (isStrict === true && 'limit' in given) throw new ToolkitError('INVALID_PARAMETERS', 'Leave --limit out.');
        return { ...given, isStrict: false };
      },
      apply() {},
    });
    const listed = ['combining'];
    expect(await overridesOf({ limit: 1 }, { plugins: [combining()], listed })).to.deep.equal({ combining: { limit: 1, isStrict: false } });
    const refused = await overridesOf({ limit: 1 }, { plugins: [combining({ isStrict: true })], listed }).catch(({ message }) => message);
    expect(refused).to.equal('Leave --limit out.');
  });
});
