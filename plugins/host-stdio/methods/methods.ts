import { functionMethods } from './functions.ts';
import { lifecycleMethods } from './lifecycle.ts';
import type { Method } from './method.ts';
import { modelMethods } from './model.ts';
import { providerMethods } from './providers.ts';
import { serverMethods } from './servers.ts';
import { skillMethods } from './skills.ts';
import { toolMethods } from './tools.ts';

/** Methods that a client may call after `initialize`, by name. */
export const methods: Readonly<Record<string, Method>> = {
  ...toolMethods,
  ...functionMethods,
  ...skillMethods,
  ...providerMethods,
  ...modelMethods,
  ...serverMethods,
  ...lifecycleMethods,
};
