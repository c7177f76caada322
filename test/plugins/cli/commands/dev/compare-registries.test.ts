import { expect } from 'chai';
import type { LinkedTool } from '../../../../../kernel/definition/link/linked-tool.ts';
import { Registry } from '../../../../../kernel/definition/registry/registry.ts';
import type { Skill } from '../../../../../kernel/index.ts';
import { compareRegistries } from '../../../../../plugins/cli/commands/dev/compare-registries.ts';
import { turnsDuring } from '../../../../support/slow-clock.ts';

interface Written {
  readonly hash?: string;
  readonly provider?: object;
  readonly code?: string;
}

function registryOf(tools: Readonly<Record<string, Written>>, skills: Readonly<Record<string, string>> = {}): Registry {
  const toolOf = (name: string, { hash = '1', provider, code }: Written): LinkedTool =>
    ({
      ...{ name, hash, credentials: [], origin: { directory: '/tools' }, execution: code === undefined ? {} : { code } },
      ...(provider === undefined ? {} : { provider: { name: 'shop', definition: provider } }),
    }) as unknown as LinkedTool;
  return new Registry({
    tools: new Map(Object.entries(tools).map(([name, written]) => [name, toolOf(name, written)])),
    skills: new Map(Object.entries(skills).map(([name, text]) => [name, { name, text } as Skill])),
  });
}

const nothing = { changed: [], added: [], removed: [] };

describe('the difference between two moments', () => {
  const cases = [
    { what: 'nothing', before: registryOf({ a: {} }), after: registryOf({ a: {} }), differs: {} },
    { what: 'another definition', before: registryOf({ a: {} }), after: registryOf({ a: { hash: '2' } }), differs: { changed: ['a'] } },
    {
      what: 'another provider',
      before: registryOf({ a: { provider: { base_url: 'https://a.example' } } }),
      after: registryOf({ a: { provider: { base_url: 'https://b.example' } } }),
      differs: { changed: ['a'] },
    },
    {
      what: 'a module that was written',
      before: registryOf({ a: { code: './a.ts#run' }, b: { code: './b.ts#run' } }),
      after: registryOf({ a: { code: './a.ts#run' }, b: { code: './b.ts#run' } }),
      differs: { changed: ['b'] },
    },
    { what: 'a tool that came', before: registryOf({}), after: registryOf({ a: {} }), differs: { added: ['a'] } },
    { what: 'a tool that went', before: registryOf({ a: {} }), after: registryOf({}), differs: { removed: ['a'] } },
    {
      what: 'skills',
      before: registryOf({}, { old: 'x', kept: 'x', other: 'x' }),
      after: registryOf({}, { new: 'x', kept: 'x', other: 'y' }),
      differs: { changed: ['skill other'], added: ['skill new'], removed: ['skill old'] },
    },
  ];
  for (const { what, before, after, differs } of cases) {
    it(`is told for ${what}`, async () => {
      expect(await compareRegistries(before, after, new Set(['/tools/b.ts']))).to.deep.equal({ ...nothing, ...differs });
    });
  }

  it('lets others in between, however many tools there are', async () => {
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, number) => [`tool_${number}`, {}]));
    const { turns, value } = await turnsDuring(() => compareRegistries(registryOf(many), registryOf(many), new Set()));
    expect(value).to.deep.equal(nothing);
    expect(turns).to.be.at.least(200 / 20);
  });
});
