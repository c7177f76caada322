import path from 'node:path';
import type { ExecuteOptions, Kernel } from '../../../../kernel/index.ts';
import { Toolkit } from '../../../../plugins/toolkit/index.ts';
import { memoryLogger } from '../../../../plugins/toolkit/testing.ts';
import { start } from '../../../e2e/program.ts';
import { afterEach } from '../../../support/after-each.ts';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

/** The end of a program. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A project with a store in a file, and a process of it. */
export interface ApprovalsProject {
  readonly cwd: string;
  readonly kernel: Kernel;
  /** Calls as a model, for `ada` unless the options say otherwise. */
  call(item: unknown, options?: Partial<ExecuteOptions>): Promise<unknown>;
  /** Makes a call that nobody here can approve. Resolves to the id of its record. */
  ask(item: unknown, options?: Partial<ExecuteOptions>): Promise<string>;
  /** Runs the built `toolkit approvals …` in another process. */
  approvals(...args: readonly string[]): Promise<Ended>;
}

const open: Toolkit[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((toolkit) => toolkit.close()));
});

const config = `plugins:
  - [toolkit/standard, { toolPaths: [tools], autoDiscover: false, includeCore: false }]
  - [toolkit/plugins/approval-gate, { mode: elicit }]
  - [toolkit/plugins/store-libsql, { path: state.db }]
`;

const order = `name: shop_order
description: Orders an item.
parameters: { item: { type: string, required: true } }
execution: { type: function, code: ./order.js }
risk: medium
requires_approval: true
`;

/** `plugins`: further ones of the configuration. */
export async function approvalsProject({ plugins = [] }: { readonly plugins?: readonly string[] } = {}): Promise<ApprovalsProject> {
  const cwd = await temporaryFolder({
    'package.json': '{ "type": "module" }',
    'toolkit.config.yaml': config + plugins.map((name) => `  - ${name}\n`).join(''),
    'tools/shop/definition.yaml': 'provider: { name: shop }\n',
    'tools/shop/order.yaml': order,
    'tools/shop/order.js': "export default ({ item }) => item + ' is ordered';\n",
  });
  const toolkit = await Toolkit.init({ config: path.join(cwd, 'toolkit.config.yaml'), includeCore: false, logger: memoryLogger() });
  open.push(toolkit);
  const call: ApprovalsProject['call'] = (item, options) =>
    toolkit.kernel.execute('shop_order', { item }, { origin: 'model', caller: 'ada', ...options });
  return {
    cwd,
    kernel: toolkit.kernel,
    call,
    ask: async (item, options) => String((await rejection(call(item, options), 'APPROVAL_REQUIRED')).details['approval']),
    approvals: async (...args) => {
      const { exit, stdout, stderr } = start(['approvals', ...args], { cwd });
      const { code } = await exit;
      return { code, stdout: stdout(), stderr: stderr() };
    },
  };
}
