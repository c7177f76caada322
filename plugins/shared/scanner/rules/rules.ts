import { commandRules } from './command-rules.ts';
import { orderRules } from './order-rules.ts';
import type { Rule } from './rule.ts';
import { secretRules } from './secret-rules.ts';
import { toolRules } from './tool-rules.ts';

/** All rules about words. */
export const rules: readonly Rule[] = [...commandRules, ...secretRules, ...toolRules, ...orderRules];
