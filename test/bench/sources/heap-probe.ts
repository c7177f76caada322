/** Prints the bytes of heap that the tools of a linked source take, after a full collection, and the characters of their document. */
import { setImmediate } from 'node:timers/promises';
import { DefinitionKeys } from '../../../kernel/definition/check/keys.ts';
import type { LinkOptions } from '../../../kernel/definition/link/link.ts';
import { linkSource } from '../../../kernel/source/link-source.ts';
import { ListingSink } from '../../../kernel/source/listing-sink.ts';
import { definitionsOf } from './operations.mjs';

const source = { name: 'sign', executionTypes: ['http'], secrets: [], urlOrigins: [] };
const http = { schema: { type: 'object', additionalProperties: true }, plugin: 'http', type: 'http', risk: () => 'low' };
const options: LinkOptions = { executionTypes: new Map([['http', http as never]]), encodings: [], keys: new DefinitionKeys() };

async function linked(operations: number, schemas: number): Promise<{ readonly result: unknown; readonly length: number }> {
  const sink = new ListingSink('sign');
  const { provider, tools } = definitionsOf('sign', { operations, schemas });
  sink.addProvider(provider);
  for (const tool of tools) sink.addTool(tool);
  const { items } = await sink.listing();
  const result = await linkSource(items, { plugin: 'http', source, derivations: [] }, options);
  return { result, length: JSON.stringify([provider, tools]).length };
}

async function heap(): Promise<number> {
  for (let round = 0; round < 3; round++) {
    globalThis.gc?.();
    await setImmediate();
  }
  return process.memoryUsage().heapUsed;
}

// Compiles what links, which is no schema.
await linked(10, 5);
const before = await heap();
const { result, length } = await linked(400, 700);
const after = await heap();
process.stdout.write(`${after - before} ${length} ${result === undefined}\n`);
