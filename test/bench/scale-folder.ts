import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { benchFolder } from './bench-folder.ts';

/** Number of definitions in the folder that the budget is about. */
export const own = 10_000;

/** A project with so many definitions of its own, a file each. `plugins`: more of them, as the configuration names them. */
export async function folderWith(count: number, ...plugins: readonly unknown[]): Promise<Awaited<ReturnType<typeof benchFolder>>> {
  const all = [['toolkit/standard', { toolPaths: ['tools'] }], ...plugins];
  const folder = await benchFolder({ 'toolkit.config.yaml': `plugins: ${JSON.stringify(all)}\n` });
  for (let start = 0; start < count; start += 1000) {
    const place = path.join(folder.cwd, 'tools', `shelf_${start / 1000}`);
    await mkdir(place, { recursive: true });
    const files = Array.from({ length: Math.min(1000, count - start) }, (_, n) => [`shop_count_${start + n}`, start + n] as const);
    await Promise.all(files.map(([name, number]) => writeFile(path.join(place, `${name}.yaml`), definition(name, number))));
  }
  return folder;
}

export function definition(name: string, number: number): string {
  return `name: ${name}
description: Counts what lies on shelf ${number} of the shop. For another shelf use its own tool.
parameters:
  unit: { type: string, enum: [pieces, boxes], default: pieces, description: What is counted. }
  since: { type: string, format: date, description: Only what came on this day or later. }
execution: { type: http, method: get, url: "https://shop.example/shelves/${number}?unit={unit}&since={since}" }
risk: low
`;
}
