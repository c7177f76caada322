import { expectRefused } from './refusals/attempt.ts';
import { bindingAttempts } from './refusals/bindings.ts';
import { hostAttempts } from './refusals/hosts.ts';
import { linkAttempts } from './refusals/links.ts';
import { nameAttempts } from './refusals/names.ts';
import { redirectAttempts, replayAttempts } from './refusals/redirects.ts';
import { tokenEndpointAttempts } from './refusals/token-endpoints.ts';

const attempts = [
  ...redirectAttempts,
  ...replayAttempts,
  ...hostAttempts,
  ...tokenEndpointAttempts,
  ...linkAttempts,
  ...bindingAttempts,
  ...nameAttempts,
];

describe('accounts: refused in words, with nothing stored or shown', () => {
  for (const attempt of attempts) it(attempt.attempt, () => expectRefused(attempt));
});
