import type { Endpoint } from './endpoint.ts';

/** The endpoints of all pages, besides those of the session (`overview` and `logout`). */
export const endpoints: readonly Endpoint[] = [];
