import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { messageOf, type Tool } from '../../../../kernel/index.ts';
import { estimatedTokens } from '../../../../plugins/shared/exposure/estimated-tokens.ts';
import { writtenInput } from '../../../../plugins/shared/exposure/written-out/listed-input.ts';
import type { DocumentFile } from '../documents/folders.ts';
import { generate } from './generate.ts';
import { openTools } from './open-tools.ts';
import { startReceiver } from './receiver.ts';
import { sampledCall } from './sampled-call.ts';

export interface Callable {
  readonly operations: number;
  readonly tools: number;
  /** Operations whose tool linked, and whose call reached the server. */
  readonly callable: number;
  readonly skipped: Readonly<Record<string, number>>;
  /** Tools that did not link, or whose calls did not arrive. */
  readonly failures: readonly string[];
  /** Estimated tokens of each tool as it is listed. */
  readonly tokens: readonly number[];
}

/** Attempts of one tool; generated texts can be ones that its path cannot hold. */
const maxAttempts = 6;

/** Calls every tool of a document once. */
export async function run({ file }: DocumentFile, options: unknown): Promise<Callable> {
  const { nth = 1 } = (options ?? {}) as { readonly nth?: number };
  await using receiver = await startReceiver();
  const { source } = await generate(file, { server: receiver.url });
  const folder = mkdtempSync(path.join(os.tmpdir(), 'toolkit-openapi-'));
  const upload = path.join(folder, 'upload.txt');
  writeFileSync(upload, 'content of the file');
  try {
    await using tools = await openTools(source, [folder]);
    const failures: string[] = [];
    const tokens: number[] = [];
    let callable = 0;
    for (const [index, { definition }] of source.tools.entries()) {
      if (index % nth !== 0) {
        callable += 1;
        continue;
      }
      const name = String(definition['name']);
      try {
        const tool = tools.kernel.registry.get(name);
        const origin = { ...tool.origin, source: { name: 'api' } } as Tool['origin'];
        const { description, inputSchema } = writtenInput({ name, description: tool.description, origin }, tool.inputSchema);
        tokens.push(estimatedTokens(JSON.stringify({ name, description, inputSchema })));
        let reason = 'no parameters were found that it takes';
        let isReached = false;
        for (let attempt = 0; attempt < maxAttempts && !isReached; attempt += 1) {
          const parameters = sampledCall(tool, 31 * index + attempt, upload);
          if (parameters === undefined) break;
          await tools.call(name, parameters).catch((error: unknown) => {
            reason = messageOf(error);
          });
          isReached = receiver.take().length > 0;
        }
        if (isReached) callable += 1;
        else failures.push(`${name}: ${reason}`.slice(0, 300));
      } catch (error) {
        failures.push(`${name}: ${messageOf(error)}`.slice(0, 300));
      }
    }
    const skipped: Record<string, number> = {};
    for (const { reason } of source.skipped) skipped[reason] = (skipped[reason] ?? 0) + 1;
    return { operations: source.tools.length + source.skipped.length, tools: source.tools.length, callable, skipped, failures, tokens };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
