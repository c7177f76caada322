import { functionMethods } from './functions.ts';
import { lifecycleMethods } from './lifecycle.ts';
import type { Method } from './method.ts';
import { toolMethods } from './tools.ts';

/** What a client may ask once it has initialized, by name. */
export const methods: Readonly<Record<string, Method>> = {
  ...toolMethods,
  ...functionMethods,
  ...lifecycleMethods,
};
