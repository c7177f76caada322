import { setTimeout as wait } from 'node:timers/promises';

export const echo = ({ text }) => ({ text });

export async function slow({ ms }, { signal, progress }) {
  for (let step = 1; step <= 4; step++) {
    await wait(ms / 4, undefined, { signal });
    progress({ progress: step, total: 4 });
  }
  return { waited: ms };
}

export function failing() {
  throw new Error('It is there to fail.');
}

export const hanging = (_, { signal }) => wait(300_000, 'late', { signal });

const schema = { type: 'object', properties: { answer: { type: 'string' } }, required: ['answer'] };

export async function asking(_, { client }) {
  const { action } = await client.elicit({ message: 'Which?', schema });
  return { action };
}

export const long = ({ lines }) => Array.from({ length: lines }, (_, number) => `line ${number} of a long result`).join('\n');
