import path from 'node:path';
import { Toolkit } from '../../../plugins/toolkit/index.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { afterEach } from '../../support/after-each.ts';
import { temporaryFolder } from '../../support/temporary.ts';

export interface CallsProject {
  readonly cwd: string;
  /** A process of the project in here. It makes no calls until it is told to. */
  readonly toolkit: Toolkit;
}

const open: Toolkit[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((toolkit) => toolkit.close()));
});

const config = `plugins:
  - [toolkit/standard, { toolPaths: [tools], autoDiscover: false, includeCore: false }]
  - [toolkit/plugins/approval-gate, { mode: elicit }]
`;

export const withEngine = '  - [toolkit/plugins/engine-local, { concurrency: 0 }]\n';
export const withStore = '  - [toolkit/plugins/store-libsql, { path: state.db }]\n';

const tool = (name: string, code: string, more = 'risk: low'): Readonly<Record<string, string>> => ({
  [`tools/shop/${name}.yaml`]: `name: shop_${name}\ndescription: For trying things out.\nparameters: { item: { type: string } }\nexecution: { type: function, code: ./${name}.js }\n${more}\n`,
  [`tools/shop/${name}.js`]: code,
});

/** The folder of a project whose configuration has these plugins as well. */
export function callsFolder(plugins: string = withEngine + withStore, more: Readonly<Record<string, string>> = {}): Promise<string> {
  return temporaryFolder({
    'package.json': '{ "type": "module" }',
    'toolkit.config.yaml': config + plugins,
    'tools/shop/definition.yaml': 'provider: { name: shop }\n',
    ...tool('find', 'export default ({ item }) => ({ item, pid: process.pid });'),
    ...tool('order', "export default ({ item }) => item + ' is ordered';", 'risk: medium\nrequires_approval: true'),
    ...tool('pay', "export default () => { throw new Error('no \\u001b[2Jmoney'); };", 'risk: medium'),
    ...tool('wait', 'export default (_, { signal }) => new Promise((_, no) => signal.addEventListener("abort", () => no(signal.reason)));'),
    ...more,
  });
}

/** A project with an engine, a store in a file, and a process of it. */
export async function callsProject(more: Readonly<Record<string, string>> = {}): Promise<CallsProject> {
  const cwd = await callsFolder(withEngine + withStore, more);
  const toolkit = await Toolkit.init({ config: path.join(cwd, 'toolkit.config.yaml'), includeCore: false, logger: memoryLogger() });
  open.push(toolkit);
  return { cwd, toolkit };
}
