import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { DurableCall } from '../../../kernel/index.ts';
import { Toolkit } from '../../../plugins/toolkit/index.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { type Started, start } from '../../e2e/program.ts';
import { temporaryFolder } from '../../support/temporary.ts';

const standard = `plugins:
  - [toolkit/standard, { toolPaths: [tools], autoDiscover: false, includeCore: false }]
  - [toolkit/plugins/approval-gate, { mode: elicit }]
`;

/** Writes its item into a file, as an effect that can be counted. \`size\`: characters of its result. */
const act = `import { appendFileSync } from 'node:fs';
export default ({ item, size = 1 }) => {
  appendFileSync(process.env.EFFECTS, item + '\\n');
  return item + 'x'.repeat(size);
};
`;

/** The same, and then it never ends. */
const hang = `import { appendFileSync } from 'node:fs';
export default ({ item }) => {
  appendFileSync(process.env.EFFECTS, item + '\\n');
  return new Promise((_, no) => setInterval(() => {}, 1000));
};
`;

const tool = (name: string, code: string, more = ''): Readonly<Record<string, string>> => ({
  [`tools/${name}.yaml`]: `name: ${name}\ndescription: For trying things out.\nparameters: { item: { type: string }, size: { type: integer, required: false } }\nexecution: { type: function, code: ./${name}.js }\nrisk: medium\n${more}`,
  [`tools/${name}.js`]: code,
});

/** A project with a configuration for one machine, and one for several that is on this database. */
export class MoveProject {
  readonly cwd: string;
  readonly #env: Readonly<Record<string, string>>;

  private constructor(cwd: string) {
    this.cwd = cwd;
    this.#env = { EFFECTS: path.join(cwd, 'effects'), XDG_STATE_HOME: path.join(cwd, 'state') };
  }

  static async create(databaseUrl: string): Promise<MoveProject> {
    const cwd = await temporaryFolder({
      'package.json': '{ "type": "module" }',
      'toolkit.config.yaml': `${standard}  - [toolkit/plugins/store-libsql, { path: state.db }]\n  - [toolkit/plugins/engine-local, { concurrency: 0 }]\n`,
      effects: '',
      ...tool('act', act),
      ...tool('hang', hang),
      ...tool('ask', act, 'requires_approval: true\n'),
    });
    const project = new MoveProject(cwd);
    await project.writeCluster('cluster.yaml', databaseUrl);
    return project;
  }

  async writeCluster(name: string, url: string): Promise<void> {
    const text = `${standard}  - [toolkit/plugins/store-postgres, { url: '${url}' }]\n  - [toolkit/plugins/engine-bullmq, { url: '${url}', concurrency: 0 }]\n`;
    await writeFile(path.join(this.cwd, name), text);
  }

  start(args: readonly string[], env: Readonly<Record<string, string>> = {}): Started {
    return start(args, { cwd: this.cwd, env: { ...this.#env, ...env } });
  }

  /** Runs the program to its end. */
  async run(
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): Promise<{ code: number | null; stdout: string; stderr: string }> {
    const { exit, stdout, stderr } = this.start(args, env);
    const { code } = await exit;
    return { code, stdout: stdout(), stderr: stderr() };
  }

  /** Moves the calls. Returns the moved entries by kind. */
  async move(config = 'cluster.yaml'): Promise<Readonly<Record<string, { moved: number; known: number; later: number }>>> {
    const { code, stdout, stderr } = await this.run(['calls', 'move', 'state.db', '--json', '--config', config]);
    if (code !== 0) throw new Error(stderr);
    const { moved } = JSON.parse(stdout) as { moved: { what: string; moved: number; known: number; later: number }[] };
    return Object.fromEntries(moved.map(({ what, ...count }) => [what, count]));
  }

  /** Runs `work` in a process of this project, in here. */
  async within<T>(config: string, work: (toolkit: Toolkit) => Promise<T>): Promise<T> {
    const before = { ...process.env };
    Object.assign(process.env, this.#env);
    const toolkit = await Toolkit.init({ config: path.join(this.cwd, config), includeCore: false, logger: memoryLogger() });
    try {
      return await work(toolkit);
    } finally {
      await toolkit.close();
      process.env = before;
    }
  }

  /** Submits calls of a tool, each with its id as its item. */
  submit(toolkit: Toolkit, ids: readonly string[], name = 'act', parameters: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
    return Promise.all(
      ids.map((id) =>
        toolkit.calls.submit(name, { item: id, ...parameters }, { durable: true, id, ...(name === 'ask' ? { origin: 'model' } : {}) }),
      ),
    );
  }

  /** Returns all calls by id. */
  async calls(toolkit: Toolkit): Promise<ReadonlyMap<string, DurableCall>> {
    const found: DurableCall[] = [];
    for (let after: string | undefined; ; ) {
      const page = await toolkit.calls.list({ limit: 1000, ...(after === undefined ? {} : { after }) });
      found.push(...page.calls);
      after = page.next;
      if (after === undefined) return new Map(found.map((call) => [call.id, call]));
    }
  }

  /** Returns the items of all effects, in order. */
  async effects(): Promise<readonly string[]> {
    return (await readFile(path.join(this.cwd, 'effects'), 'utf8')).trim().split('\n').sort();
  }
}
