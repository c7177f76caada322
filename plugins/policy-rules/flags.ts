import type { PluginFlag } from '../../kernel/index.ts';
import { parsePath } from '../shared/flags/values.ts';

export const rulesFlags: Readonly<Record<string, PluginFlag>> = {
  file: { flag: '--policy <file>', description: 'rules that allow, ask or deny (default: policy.yaml, where it exists)', parse: parsePath },
};
