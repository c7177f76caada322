import { apiVersion, definePlugin } from '../../kernel/index.ts';
import { validateCommand } from './command.ts';

/** Adds `toolkit validate`. */
export const validate = definePlugin({ name: 'validate', apiVersion, commands: [validateCommand], apply() {} });
