import { expect } from 'chai';
import Type from 'typebox';
import { apiVersion, definePlugin, flattenPlugins, type Plugin } from '../../kernel/index.ts';
import { rejection } from '../support/rejection.ts';
import { bareKernel } from '../support/test-kernel.ts';

function named(name: string, mark = ''): Plugin {
  return { ...definePlugin({ name, apiVersion, apply() {} })(), version: mark };
}
const marks = (entries: readonly unknown[]): string[] => flattenPlugins(entries).map(({ name, version }) => `${name}${version}`);

describe('the plugin list', () => {
  it('skips falsy entries and flattens presets as deep as they go', () => {
    expect(marks([false, named('a'), null, [named('b'), [named('c'), undefined]], 0, ''])).to.deep.equal(['a', 'b', 'c']);
  });

  it('lets an entry listed by hand replace one of a preset, at the place of the preset', () => {
    expect(marks([[named('a', '1'), named('b', '1')], named('a', '2')])).to.deep.equal(['a2', 'b1']);
  });

  it('keeps an entry listed by hand when a later preset brings the same name', () => {
    expect(marks([named('a', '1'), [named('a', '2')]])).to.deep.equal(['a1']);
  });

  it('lets a later preset replace an earlier one', () => {
    expect(marks([[named('a', '1')], [named('a', '2')]])).to.deep.equal(['a2']);
  });

  const refused: { title: string; entries: readonly unknown[]; message: string }[] = [
    {
      title: 'the same name twice by hand',
      entries: [named('a'), named('b'), named('a')],
      message: 'plugins[2]: the plugin "a" is listed twice. Keep one entry.',
    },
    {
      title: 'a factory that was not called',
      entries: [function cache() {}],
      message: 'plugins[0] is not a plugin: expected a plugin object, received a function. Call it: cache().',
    },
    {
      title: 'a number',
      entries: [3],
      message: 'plugins[0] is not a plugin: expected a plugin object made by definePlugin, received number 3.',
    },
    {
      title: 'a plugin without a name',
      entries: [{ apply() {}, apiVersion }],
      message: 'expected a "name" of at least one character, received nothing',
    },
    {
      title: 'a plugin without apply',
      entries: [[{ name: 'x', apiVersion }]],
      message: 'plugins[0][0] is not a plugin: expected an "apply" function in "x", received nothing',
    },
    {
      title: 'a plugin for another contract',
      entries: [{ ...named('x'), apiVersion: 99 }],
      message: 'expected apiVersion 1 in "x", received number 99',
    },
  ];
  for (const { title, entries, message } of refused) {
    it(`refuses ${title}`, () => {
      expect(() => flattenPlugins(entries))
        .to.throw(message)
        .with.property('code', 'PLUGIN_INVALID');
    });
  }
});

describe('plugin options', () => {
  const cache = definePlugin({
    name: 'cache',
    apiVersion,
    optionsSchema: Type.Object(
      { ttlMs: Type.Integer({ minimum: 1 }), mode: Type.Optional(Type.Enum(['a', 'b'])) },
      { additionalProperties: false },
    ),
    apply(kernel, { ttlMs }) {
      kernel.logger.info(`ttl ${ttlMs}`);
    },
  });
  const plain = definePlugin({ name: 'plain', apiVersion, apply() {} });

  const refused: { title: string; plugin: Plugin; message: string }[] = [
    { title: 'a missing option', plugin: cache(), message: 'The options of plugin "cache" are wrong: ttlMs is required.' },
    { title: 'a wrong type', plugin: cache({ ttlMs: '5' as never }), message: 'ttlMs expected integer, received string "5"' },
    { title: 'a mistyped key', plugin: cache({ ttlMs: 5, mod: 'a' } as never), message: 'mod is not known here. Did you mean "mode"?' },
    {
      title: 'any option of a plugin that has none',
      plugin: plain({ x: 1 } as never),
      message: '"plain" are wrong: x is not known here. Nothing may be given here: remove it.',
    },
  ];
  for (const { title, plugin, message } of refused) {
    it(`refuse ${title}`, async () => {
      const error = await rejection(bareKernel({ plugins: [plugin] }), 'PLUGIN_INVALID');
      expect(error.message).to.include(message);
      expect(error.details.plugin).to.equal(plugin.name);
    });
  }

  it('can be laid over those of an existing plugin', async () => {
    const kernel = await bareKernel({ plugins: [cache({ ttlMs: 5, mode: 'a' }).withOptions({ ttlMs: 6 })] });
    expect(kernel.plugins[0]?.options).to.deep.equal({ ttlMs: 6, mode: 'a' });
  });
});
