import { randomBytes } from 'node:crypto';
import path from 'node:path';
import type { PluginApi } from '@toolkit/core';
import { figureRow, type Row } from './rows.ts';

const { apiVersion, createKernel, definePlugin }: typeof import('@toolkit/core') = await import(
  path.resolve('dist/plugins/toolkit/index.js')
);

const secrets = 10_000;
const bytes = 1024 * 1024;
const rounds = 20;
const silent = { error: () => {}, warn: () => {}, info: () => {}, debug: () => {} };

/** Measures masking of a text of 1 MiB with 10,000 known secrets, one of which is in it. */
export async function redaction(): Promise<Row[]> {
  const values = Array.from({ length: secrets }, () => `sk_live_${randomBytes(24).toString('base64url')}`);
  const protect = definePlugin({
    name: 'protect',
    apiVersion,
    apply(kernel: PluginApi) {
      for (const [index, value] of values.entries()) kernel.maskAlso(`SECRET_${index}`, value);
    },
  });
  const kernel = await createKernel({ plugins: [protect()], logger: silent });
  const noise = randomBytes(bytes).toString('base64').slice(0, bytes);
  const text = `${noise.slice(0, bytes / 2)}${values[77]}${noise.slice(bytes / 2)}`;
  const samples = Array.from({ length: rounds }, () => {
    const start = performance.now();
    kernel.mask(text);
    return performance.now() - start;
  }).sort((a, b) => a - b);
  await kernel.close();
  const median = samples[rounds / 2] ?? 0;
  return [figureRow('masking 1 MiB with 10,000 secrets, p50', { value: median, unit: 'ms', most: 20 })];
}
