import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { JsonValue, Kernel, PluginEntry } from '../../../kernel/index.ts';
import { auditTrail } from '../../../plugins/audit-trail/index.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { echoTool, testKernel } from '../../support/test-kernel.ts';

export type AuditOptions = Partial<NonNullable<Parameters<typeof auditTrail>[0]>>;

export interface Audited {
  readonly kernel: Kernel;
  readonly file: string;
  readonly logger: ReturnType<typeof memoryLogger>;
}

/** A kernel with an audit trail in a temporary folder, or in `path`, and the tool `echo`. */
export async function audited(
  options: AuditOptions = {},
  { tools = [], plugins = [] }: { readonly tools?: readonly unknown[]; readonly plugins?: readonly PluginEntry[] } = {},
): Promise<Audited> {
  const file = options.path ?? path.join(await temporaryFolder(), 'audit.jsonl');
  const logger = memoryLogger();
  const trail = auditTrail({ ...options, path: file });
  const kernel = await testKernel({ tools: [echoTool(), ...tools], plugins: [...plugins, trail], logger });
  return { kernel, file, logger };
}

/** A trail of a kernel that was closed, with one record for each text. */
export async function writtenTrail(texts: readonly string[], options: AuditOptions = {}): Promise<string> {
  const { kernel, file } = await audited(options);
  for (const text of texts) await kernel.execute('echo', { text });
  await kernel.close();
  return file;
}

export type TrailRecord = Readonly<Record<string, JsonValue>> & { readonly seq: number; readonly hash: string; readonly previous: string };

/** The records of a trail, each line of which must be JSON; without the lines that seal several of them. */
export async function recordsIn(file: string): Promise<TrailRecord[]> {
  return (await linesIn(file)).map((line) => JSON.parse(line) as TrailRecord).filter((record) => !('batch' in record));
}

export async function linesIn(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8');
  if (!text.endsWith('\n')) throw new Error(`the last line of ${file} is not ended`);
  return text.slice(0, -1).split('\n');
}

export async function writeLines(file: string, lines: readonly string[]): Promise<void> {
  await writeFile(file, lines.map((line) => `${line}\n`).join(''));
}
