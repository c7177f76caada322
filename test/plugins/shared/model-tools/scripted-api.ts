import { json, loopback } from '../../../support/loopback.ts';

/** A model API on loopback that gives these answers, one for each request. */
export async function scriptedApi(...answers: readonly object[]): Promise<{ readonly url: string; readonly bodies: readonly unknown[] }> {
  const bodies: unknown[] = [];
  const { url } = await loopback(({ body }, response) => {
    const answer = answers[bodies.length];
    bodies.push(JSON.parse(body));
    if (answer === undefined) json(response, { error: { message: 'the script is over' } }, 400);
    else json(response, answer);
  });
  return { url, bodies };
}
