/** Defences against pages of other origins that read. */
import type { Defence } from './defence.ts';

/** The console allows no other origin to read: the mutant allows each of them. */
export const noSharing: Defence = {
  name: 'no answer that other origins may read',
  file: 'plugins/console/answer.ts',
  replace: [
    'return await answer(request);',
    `const response = await answer(request);
      const sharing = { 'access-control-allow-origin': request.headers['origin'] ?? '*', 'access-control-allow-credentials': 'true' };
      return { ...response, headers: { ...response.headers, ...sharing } };`,
  ],
};
