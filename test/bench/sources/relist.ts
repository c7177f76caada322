import { DefinitionKeys } from '../../../kernel/definition/check/keys.ts';
import type { LinkOptions } from '../../../kernel/definition/link/link.ts';
import { apiVersion, createKernel, createLogger, definePlugin, type Source } from '../../../kernel/index.ts';
import { linkSource } from '../../../kernel/source/link-source.ts';
import { ListingSink } from '../../../kernel/source/listing-sink.ts';
import { median, type Row, ratioRow } from '../rows.ts';
import { definitionsOf } from './operations.mjs';

const document = { operations: 500, schemas: 100 };
const rounds = 25;

/** Processor time of a changed source of 500 tools beside another one, to that of linking its 500. */
export async function relist(): Promise<Row[]> {
  let edition = 1;
  const execution = { schema: { type: 'object', additionalProperties: true } as never, risk: () => 'low' as const };
  const sourceOf = (name: string): Source => ({
    trust: 'all',
    executionTypes: ['http'],
    list: ({ sink }) => fill(sink, definitions[name] ?? definitionsOf(name, document)),
  });
  const definitions: Record<string, ReturnType<typeof definitionsOf>> = {};
  const plugin = definePlugin({
    name: 'operations',
    apiVersion,
    apply({ extend }) {
      extend.execution('http', execution);
      for (const name of ['left', 'right']) extend.source(name, sourceOf(name));
    },
  });
  const kernel = await createKernel({ plugins: [plugin()], logger: createLogger({ write: () => {} }) });
  const options: LinkOptions = {
    executionTypes: new Map([['http', { ...execution, plugin: 'operations', type: 'http' } as never]]),
    encodings: [],
    keys: new DefinitionKeys(),
  };
  const origin = { name: 'left', executionTypes: ['http'], secrets: [], urlOrigins: [] };
  const spent = { linking: [] as number[], relisting: [] as number[] };
  for (let round = -10; round < rounds; round++) {
    // Generating definitions is the work of the source.
    const generated = definitionsOf('left', { ...document, edition: ++edition });
    const sink = new ListingSink('left');
    fill(sink, generated);
    const { items } = await sink.listing();
    const linking = await cpuMs(() => linkSource(items, { plugin: 'operations', source: origin, derivations: [] }, options));
    definitions['left'] = definitionsOf('left', { ...document, edition: ++edition });
    const relisting = await cpuMs(() => kernel.sources.relist('left'));
    if (round < 0) continue;
    spent.linking.push(linking);
    spent.relisting.push(relisting);
  }
  await kernel.close();
  const [bare, toolkit] = [median(spent.linking), median(spent.relisting)];
  return [ratioRow('one of two sources of 500 tools, changed', { bare, toolkit, unit: 'ms', most: 1.5, to: 'linking its 500' })];
}

function fill(sink: Pick<ListingSink, 'addTool' | 'addProvider'>, { provider, tools }: ReturnType<typeof definitionsOf>): void {
  sink.addProvider(provider);
  for (const tool of tools) sink.addTool(tool);
}

async function cpuMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
