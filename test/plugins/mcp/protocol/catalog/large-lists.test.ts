import { expect } from 'chai';
import type { Registry, Skill, Tool } from '../../../../../kernel/index.ts';
import { type CatalogLists, changedLists } from '../../../../../plugins/mcp/protocol/catalog/catalog-lists.ts';
import { listPage } from '../../../../../plugins/mcp/protocol/catalog/list-page.ts';
import { listedSkills } from '../../../../../plugins/mcp/protocol/catalog/listed-skills.ts';
import { listTool } from '../../../../../plugins/shared/exposure/tool-listing.ts';
import { allTools, roughSizeOf, sizeOf, type ToolList } from '../../../../../plugins/shared/exposure/tool-lists.ts';
import { turnsDuring } from '../../../../support/slow-clock.ts';
import { echoTool, testKernel } from '../../../../support/test-kernel.ts';
import { connect } from '../../support/client.ts';

const nameOf = (number: number): string => `shelf_${String(number).padStart(6, '0')}`;

/** Makes a list of this number of tools; `made` counts how often an entry was built. */
async function listOf(count: number, more: Readonly<Record<string, unknown>> = {}): Promise<{ list: ToolList; made: () => number }> {
  const kernel = await testKernel({ tools: [echoTool(more)] });
  const tool = kernel.registry.tools.get('echo') as Tool;
  const { description, definition, execution, risk, annotations, parameters, inputSchema, credentials, origin, hash } = tool;
  const facts = { description, definition, execution, risk, annotations, parameters, inputSchema, credentials, origin, hash };
  const tools = Array.from({ length: count }, (_, number): Tool => ({ ...facts, name: nameOf(number) }));
  let made = 0;
  const list = allTools(
    tools,
    () => true,
    (one) => {
      made++;
      return listTool(one, 'none');
    },
  );
  return { list, made: () => made };
}

const catalogLists = (list: ToolList): CatalogLists => ({
  registry: {} as Registry,
  tools: { all: list, search: list },
  resources: new Map(),
  skills: [],
  resourceTemplates: new Map(),
  prompts: new Map(),
});

describe('a page of a very long list', () => {
  it('is found by looking at a few keys', () => {
    const entries = Array.from({ length: 100_000 }, (_, number) => nameOf(number));
    let looked = 0;
    const keyOf = (entry: string): string => {
      looked++;
      return entry;
    };
    let cursor: string | undefined;
    const pages = Array.from({ length: 10 }, () => {
      const { page, nextCursor } = listPage(entries, keyOf, { cursor, pageSize: 1000 });
      cursor = nextCursor;
      return page;
    });
    expect(pages.flat()).to.deep.equal(entries.slice(0, 10_000));
    // Two to the power of 17 are more than there are; and the last key of each page.
    expect(looked).to.be.at.most(10 * 18);
  });
});

describe('a very long list of tools', () => {
  it('has nothing made of it but what was asked for, and that once', async () => {
    const { list, made } = await listOf(5000);
    const { page } = listPage(list.tools, ({ name }) => name, { cursor: undefined, pageSize: 100 });
    for (let time = 0; time < 2; time++) page.map(list.cachedEntry);
    expect(made()).to.equal(100);
  });

  it('lets others in between while a page of it is made', async () => {
    const kernel = await testKernel({ tools: Array.from({ length: 200 }, (_, number) => echoTool({ name: nameOf(number) })) });
    const { client } = await connect(kernel);
    const { turns, value } = await turnsDuring(() => client.listTools());
    expect(value.tools.map(({ name }) => name)).to.deep.equal(Array.from({ length: 200 }, (_, number) => nameOf(number)));
    expect(turns).to.be.at.least(200 / 20);
  });

  it('is judged by three hundred of its tools, near to what all of them take', async () => {
    const { list, made } = await listOf(5000);
    const rough = roughSizeOf(list);
    expect(made()).to.equal(300);
    const exact = sizeOf(list);
    expect(rough.tools).to.equal(exact.tools);
    expect(rough.tokens / exact.tokens).to.be.within(0.99, 1.01);
  });

  it('is compared with that of before tool by tool, until one is another', async () => {
    const [before, now] = [await listOf(500, { description: 'Old.' }), await listOf(500, { description: 'New.' })];
    expect(await changedLists(catalogLists(before.list), catalogLists(now.list), 'all')).to.deep.equal(['tools']);
    expect([before.made(), now.made()]).to.deep.equal([1, 1]);
  });

  it('lets others in between while it is compared', async () => {
    const [before, now] = [await listOf(500), await listOf(500)];
    const { turns, value } = await turnsDuring(() => changedLists(catalogLists(before.list), catalogLists(now.list), 'all'));
    expect(value).to.deep.equal([]);
    expect(turns).to.be.at.least(500 / 20);
  });
});

describe('the skills beside very many tools', () => {
  it('are told from those whose tools nobody sees by looking at each tool twice', () => {
    let looked = 0;
    const tools = Array.from({ length: 1000 }, (_, number) => ({
      name: nameOf(number),
      get origin() {
        looked++;
        return { directory: `/tools/provider_${number}/actions` };
      },
    })) as unknown as readonly Tool[];
    const skills = Array.from({ length: 1000 }, (_, number) => [`skill_${number}`, skillIn(`/tools/provider_${number}`)] as const);
    const registry = { tools: new Map(tools.map((tool) => [tool.name, tool])), skills: new Map([...skills, ['alone', skillIn('/alone')]]) };
    const listed = listedSkills(registry as unknown as Registry, tools.slice(0, 3));
    expect(listed.map(({ origin }) => origin.directory)).to.deep.equal([
      ...['/tools/provider_0', '/tools/provider_1', '/tools/provider_2'],
      '/alone',
    ]);
    expect(looked).to.be.at.most(2 * tools.length);
  });
});

function skillIn(directory: string): Skill {
  return { origin: { directory } } as Skill;
}
