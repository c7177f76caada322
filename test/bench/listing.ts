/** Measures what listing all shipped tools costs the official client, by `outputSchemas`. `npx tsx test/bench/listing.ts` prints it alone. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { outputSchemaChoices } from '../../plugins/shared/exposure/listed-schemas.ts';
import { listTool } from '../../plugins/shared/exposure/tool-listing.ts';
import { Toolkit } from '../../plugins/toolkit/index.ts';
import { memoryLogger } from '../../plugins/toolkit/testing.ts';
import { isCatalogued } from '../support/catalogue.ts';
import { figureRow, lineOf, percentile, type Row, ratioRow } from './rows.ts';

const rounds = 9;
const script = path.resolve('test/bench/listing-client.mjs');
const run = promisify(execFile);

/** Processor time of the client, in a process of its own for each list, the three in turns. */
export async function listing(): Promise<Row[]> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'toolkit-bench-'));
  try {
    const files = await writeLists(folder);
    const spent = { full: [] as number[], compact: [] as number[], none: [] as number[] };
    for (let round = 0; round < rounds; round++)
      for (const choice of outputSchemaChoices) spent[choice].push(Number((await run(process.execPath, [script, files[choice]])).stdout));
    const median = (choice: keyof typeof spent): number => percentile(spent[choice], 0.5);
    return [
      ratioRow('first tools/list of the official client, its processor time', {
        bare: median('full'),
        toolkit: median('compact'),
        unit: 'ms',
        most: 0.4,
        to: 'full schemas',
      }),
      figureRow('the same without output schemas', { value: median('none'), unit: 'ms', most: 60 }),
      figureRow('tools/list of 255 tools, as a model reads it (o200k)', {
        value: await tokensIn(files.none),
        unit: 'tokens',
        most: 68_000,
      }),
    ];
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Tokens of what a client hands to a model: names, descriptions and input schemas. */
async function tokensIn(file: string): Promise<number> {
  // Own text: a list that this bench has written
  const { tools } = JSON.parse(await readFile(file, 'utf8')) as {
    tools: readonly { name: string; description: string; inputSchema: object }[];
  };
  const shown = tools.map(({ name, description, inputSchema }) => JSON.stringify({ name, description, input_schema: inputSchema }));
  return countTokens(shown.join('\n'));
}

/** The answers to tools/list, a file each. */
async function writeLists(folder: string): Promise<Record<(typeof outputSchemaChoices)[number], string>> {
  const toolkit = await Toolkit.init({ autoDiscover: true, logger: memoryLogger() });
  const files = { full: '', compact: '', none: '' };
  for (const choice of outputSchemaChoices) {
    const tools = toolkit
      .listTools()
      .filter(({ name }) => isCatalogued(name))
      .map((tool) => listTool(tool, toolkit.kernel.approvalProof, choice));
    files[choice] = path.join(folder, `${choice}.json`);
    await writeFile(files[choice], JSON.stringify({ tools }));
  }
  await toolkit.close();
  return files;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) for (const row of await listing()) process.stdout.write(lineOf(row));
