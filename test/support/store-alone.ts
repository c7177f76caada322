import type { StateStore } from '../../kernel/index.ts';

/** Returns the same store for a process that takes all others for dead. */
export function storeAlone(state: StateStore): StateStore {
  return new Proxy(state, {
    get(store, name) {
      if (name === 'join')
        return (onReturn?: () => void) => {
          const member = store.join(onReturn);
          return { id: member.id, enter: () => member.enter(), leave: () => member.leave(), isDead: async () => true };
        };
      const member: unknown = Reflect.get(store, name);
      return typeof member === 'function' ? member.bind(store) : member;
    },
  });
}
