import path from 'node:path';
import { benchFolder, program } from '../bench-folder.ts';
import type { Row } from '../rows.ts';
import { StdioProcess } from '../server-process.ts';
import { filePairs } from './file-pairs.ts';
import { gitPairs } from './git-pairs.ts';
import { measurePairs } from './pairs.ts';
import { writeRepository } from './seeded-repository.ts';
import { writeSeededTree } from './seeded-tree.ts';

/** Files of the trees, or `TOOLKIT_BENCH_FILES`, such as 500: a look whether all of this still runs. */
const sizes = (process.env['TOOLKIT_BENCH_FILES'] ?? '10000,60000').split(',').map(Number);

const pairsOfEach = 10;

const configuration = `plugins:
  - [toolkit/standard, { roots: [.] }]
  - [toolkit/plugins/audit-trail, { path: calls.jsonl }]
`;

/** Core tools beside the programs that people use for the same, on the same trees, by a server that is warm. */
export async function native(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const files of sizes) {
    const { cwd, remove } = await benchFolder({ 'toolkit.config.yaml': configuration });
    const server = new StdioProcess({ args: [program, 'mcp'], cwd });
    try {
      await writeSeededTree(path.join(cwd, 'tree'), files, files);
      await writeSeededTree(path.join(cwd, 'copy'), files, files);
      await writeRepository(path.join(cwd, 'repository'), files);
      await server.open();
      rows.push(...(await measurePairs(server, [...filePairs(cwd, files), ...gitPairs(cwd, files)], pairsOfEach)));
    } finally {
      await server.end();
      await remove();
    }
  }
  return rows;
}
