import { accountsEndpoints } from './accounts.ts';
import { approvalEndpoints } from './approvals.ts';
import { callsEndpoints } from './calls.ts';
import type { Endpoint } from './endpoint.ts';
import { problemsEndpoints } from './problems.ts';
import { secretsEndpoints } from './secrets.ts';
import { sourcesEndpoints } from './sources.ts';
import { stateEndpoints } from './state.ts';
import { toolsEndpoints } from './tools.ts';

/** The endpoints of all pages, besides those of the session (`overview`, `events` and `logout`). */
export const endpoints: readonly Endpoint[] = [
  ...approvalEndpoints,
  ...callsEndpoints,
  ...toolsEndpoints,
  ...sourcesEndpoints,
  ...stateEndpoints,
  ...accountsEndpoints,
  ...secretsEndpoints,
  ...problemsEndpoints,
];
