import type { HttpRoute } from '../../../kernel/index.ts';
import { callbackPath, linkPath } from './connect-paths.ts';

/** Returns the routes of logins by link. `handle`: `Connect.handle`, which may be loaded with the first request. */
export function connectRoutes(handle: HttpRoute['handle']): readonly HttpRoute[] {
  return [
    { path: linkPath, methods: ['GET', 'POST'], handle },
    { path: callbackPath, handle },
  ];
}
