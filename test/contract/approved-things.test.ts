import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { parse } from 'yaml';
import type { Parameter, Tool } from '../../kernel/index.ts';
import { Toolkit } from '../../plugins/toolkit/index.ts';
import { memoryLogger } from '../../plugins/toolkit/testing.ts';

interface Row {
  readonly things: readonly string[];
  readonly paths: readonly string[];
  readonly places: Readonly<Record<string, string>>;
}

const table = parse(readFileSync('test/contract/approved-things.yaml', 'utf8'), { uniqueKeys: true }) as Record<string, Row>;

const toolkit = await Toolkit.init({ autoDiscover: true, logger: memoryLogger() });
const gated = toolkit
  .listTools()
  .filter(({ definition }) => definition.requires_approval !== undefined || Object.hasOwn(definition, 'activates'));
await toolkit.close();

/** The parts that an execution is bound to by its executor alone. */
const ofType: Readonly<Record<string, readonly string[]>> = {
  http: ['destination'],
  command: ['program', 'files'],
  function: [],
  apiclient: [],
};

const isPath = ([, { path }]: readonly [string, Parameter]): boolean => path === 'read' || path === 'write';
const isPlace = ([, { binds, fixed }]: readonly [string, Parameter]): boolean => binds === 'place' || fixed === true;

const pathsOf = ({ parameters }: Tool): { readonly paths: readonly string[]; readonly places: readonly string[] } => {
  const declared = Object.entries(parameters).filter(isPath);
  const names = (some: readonly (readonly [string, Parameter])[]): readonly string[] => some.map(([name]) => name);
  return { paths: names(declared.filter((one) => !isPlace(one))), places: names(declared.filter(isPlace)) };
};

describe('the table of what approvals hold for', () => {
  it('has every gated tool once, and no other', () => {
    expect(Object.keys(table).sort()).to.deep.equal(gated.map(({ name }) => name).sort());
  });

  it('says why a path binds only the folder itself', () => {
    const reasons = Object.values(table).flatMap(({ places }) => Object.values(places));
    expect(reasons.filter((reason) => typeof reason !== 'string' || reason.trim() === '')).to.deep.equal([]);
  });

  for (const tool of gated)
    it(`says of ${tool.name} what its definition says`, () => {
      const { things = [], paths = [], places = {} } = table[tool.name] ?? {};
      expect({ paths, places: Object.keys(places) }).to.deep.equal(pathsOf(tool));
      expect(things).to.include.members([...(ofType[tool.execution.type] ?? ['a type that is not in this test'])]);
      const told = things.filter((thing) => !ofType[tool.execution.type]?.includes(thing));
      expect(told.length > 0, 'something is told where, and only where, the definition has "identify"').to.equal(
        typeof tool.execution['identify'] === 'string',
      );
    });
});
