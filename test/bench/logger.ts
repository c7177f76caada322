import path from 'node:path';
import type { Logger } from '@toolkit/core';
import { figureRow, percentile, type Row } from './rows.ts';

const { createKernel, createLogger }: typeof import('@toolkit/core') = await import(path.resolve('dist/plugins/toolkit/index.js'));

const calls = 50_000;
const offCalls = 10_000_000;
const env = {};
/** Meta of about the size that a call logs. */
const meta = {
  tool: 'github_get_repository',
  callId: '0b6a1c9e-0f0e-4a53-8d6e-2f1c9d6a7b10',
  outcome: 'completed',
  durationMs: 12.5,
  tags: ['a', 'b'],
};

/** Measures a log call: in both formats, through the masking logger of a kernel, at a disabled level, and silent. */
export async function logger(): Promise<Row[]> {
  const written = (['json', 'simple'] as const).flatMap((format) => {
    const own = createLogger({ format, env, write: () => {} });
    return writing(`log call, ${format}`, own);
  });
  const kernel = await createKernel({ plugins: [], logger: createLogger({ format: 'json', env, write: () => {} }) });
  const silent = await createKernel({ plugins: [], logger: createLogger({ level: 'silent', env }) });
  const huge = 'x'.repeat(10_000_000);
  const figures = [
    ...written,
    ...writing('log call, json, masked by a kernel', kernel.logger),
    ...writing('log call, json, a text of 10 MB', kernel.logger, { ...meta, huge }, calls / 10),
    off('log call, level off', kernel.logger),
    off('log call, silent', silent.logger),
  ];
  await Promise.all([kernel.close(), silent.close()]);
  return figures;
}

function writing(what: string, { info }: Logger, given: Readonly<Record<string, unknown>> = meta, count = calls): Row[] {
  const samples = Array.from({ length: count }, () => {
    const startedAt = performance.now();
    info('call ended', given);
    return performance.now() - startedAt;
  }).slice(count / 5);
  return [
    figureRow(`${what}, p50`, { value: percentile(samples, 0.5) * 1000, unit: 'µs', most: 1000 }),
    figureRow(`${what}, p99`, { value: percentile(samples, 0.99) * 1000, unit: 'µs', most: 1000 }),
  ];
}

function off(what: string, { debug }: Logger): Row {
  const startedAt = performance.now();
  for (let call = 0; call < offCalls; call++) debug('call ended', meta);
  const nanoseconds = ((performance.now() - startedAt) * 1e6) / offCalls;
  return figureRow(what, { value: nanoseconds, unit: 'ns', most: 10 });
}
