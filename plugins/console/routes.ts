import type { HttpRoute } from '../../kernel/index.ts';
import { paths } from './paths.ts';

/** Maximum size of a body: approvals and form calls have parameters in them. */
const maxBodyBytes = 4 * 1024 * 1024;

/** Returns the routes of the console. */
export function consoleRoutes(handle: HttpRoute['handle'], usesOpenid: boolean): readonly HttpRoute[] {
  const methods = ['GET', 'POST'] as const;
  const openid: readonly HttpRoute[] = [
    { path: paths.openid, handle },
    { path: paths.callback, handle },
  ];
  return [
    { path: paths.shell, methods, body: 'json', handle },
    { path: paths.below, methods, body: 'json', maxBodyBytes, handle },
    { path: paths.login, methods, body: 'form', handle },
    ...(usesOpenid ? openid : []),
  ];
}
