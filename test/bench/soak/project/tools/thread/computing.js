export function sum({ rounds }) {
  let total = 0;
  for (let round = 0; round < rounds; round++) total += round % 7;
  return { total };
}

export function failing() {
  throw new Error('It is there to fail.');
}

export function endless() {
  for (;;);
}
