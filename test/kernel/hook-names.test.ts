import { expect } from 'chai';
import type { HookSignatures } from '../../kernel/hooks.ts';
import { createHooks } from '../../kernel/hooks.ts';
import { hookNames, type Listed } from '../../kernel/taps/hook-names.ts';

interface WithAnother extends HookSignatures {
  beforeLunch(): void;
}

describe('the names of the hooks', () => {
  it('are those of the hooks that run, in their order', () => expect(Object.keys(createHooks())).to.deep.equal(hookNames));

  it('are refused by the compiler when a signature has no name', () => {
    const known: keyof Listed<HookSignatures> = 'discover';
    // @ts-expect-error: the names have no "beforeLunch".
    const unknown: keyof Listed<WithAnother> = 'discover';
    expect(unknown).to.equal(known);
  });
});
