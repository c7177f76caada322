import type { StateStore } from '../../../kernel/index.ts';

/** The part of a store that grants need. Each method does what that of `StateStore` does. */
export type GrantsStore = Pick<StateStore, 'get' | 'compareAndSet' | 'delete' | 'list' | 'watch' | 'join' | 'close'>;
