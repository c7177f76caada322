import { approvalEndpoints } from './approvals.ts';
import type { Endpoint } from './endpoint.ts';

/** The endpoints of all pages, besides those of the session (`overview`, `events` and `logout`). */
export const endpoints: readonly Endpoint[] = [...approvalEndpoints];
