import type { PluginApi } from '../../../kernel/index.ts';

export interface MetricsOptions {
  readonly port?: number;
  readonly host?: string;
}

/** Offers the numbers at `/metrics`. */
export function openMetrics(_api: PluginApi, _options: MetricsOptions): void {}
