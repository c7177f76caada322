import { expectRefused } from './refusals/attempt.ts';
import { redirectAttempts, replayAttempts } from './refusals/redirects.ts';
import { tokenEndpointAttempts } from './refusals/token-endpoints.ts';

describe('accounts: refused in words, with nothing stored or shown', () => {
  for (const attempt of [...redirectAttempts, ...replayAttempts, ...tokenEndpointAttempts])
    it(attempt.attempt, () => expectRefused(attempt));
});
