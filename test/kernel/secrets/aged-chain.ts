import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { type ChainKernel, chainKernel, type Resolver, resolver } from './chain-kernel.ts';

/** How long the values of an aged store live, in milliseconds. */
export const ttlMs = 60_000;

/** A store whose answers wait until it is let go, a clock, and a kernel that has taken the first value of A_TOKEN. */
export interface Aged extends ChainKernel {
  readonly values: Record<string, string>;
  readonly store: Resolver;
  advance(ms: number): void;
  /** The store waits with its answers from now on. */
  hold(): void;
  /** It answers, and what follows from that has happened. */
  letGo(): Promise<void>;
  /** From now on it fails. */
  breakDown(): void;
}

export async function aged(lifetimeMs: number | 'none' = ttlMs): Promise<Aged> {
  let now = 1_000_000;
  let open: () => void = () => {};
  let held: Promise<void> | undefined;
  let isDown = false;
  const values: Record<string, string> = { A_TOKEN: 'a-token-old', B_TOKEN: 'b-token-old' };
  const answer = async (): Promise<void> => {
    await held;
    if (isDown) throw new Error(`no connection, says ${values['A_TOKEN']}`);
  };
  const store = resolver(values, { name: 'store', answer, ...(lifetimeMs === 'none' ? {} : { ttlMs: lifetimeMs }) });
  const chain = await chainKernel([store], { one: '{A_TOKEN}', other: '{B_TOKEN}', both: '{A_TOKEN} {B_TOKEN}' }, () => now);
  expect(await chain.use('one')).to.deep.equal({ A_TOKEN: 'a-token-old' });
  return {
    ...chain,
    values,
    store,
    advance: (ms) => {
      now += ms;
    },
    hold: () => {
      held = new Promise((resolve) => {
        open = resolve;
      });
    },
    letGo: async () => {
      open();
      await setImmediate();
    },
    breakDown: () => {
      isDown = true;
    },
  };
}
