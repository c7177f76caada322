import { defineFact } from '../../../kernel/index.ts';

/** Stated by a plugin that resolves secrets by several resolvers: their types, in the order in which they are asked. */
export const resolverChain = defineFact<readonly string[]>('chain of resolvers');
