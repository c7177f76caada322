import { expect } from 'chai';

const prototypes = [Object.prototype, Array.prototype, String.prototype, Function.prototype, Map.prototype];
const ownKeys = (): PropertyKey[][] => prototypes.map((prototype) => Reflect.ownKeys(prototype));

/** Runs the work, which may fail, and expects that no built-in prototype has another property afterwards. */
export async function untouchedPrototypes(work: () => unknown): Promise<void> {
  const before = ownKeys();
  try {
    await work();
  } catch {
    // A refusal is as good as a result.
  }
  expect(ownKeys()).to.deep.equal(before);
  expect((Object.create(Object.prototype) as { polluted?: unknown }).polluted).to.equal(undefined);
}
