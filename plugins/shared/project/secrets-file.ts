import { defineFact } from '../../../kernel/index.ts';

/** Stated by a plugin that reads secrets from a file of the project: its absolute path. */
export const secretsFile = defineFact<string>('file of secrets');
