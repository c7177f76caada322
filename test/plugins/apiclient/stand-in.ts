import { cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { JsonValue, PluginEntry } from '../../../kernel/index.ts';
import { type ApiclientOptions, apiclient } from '../../../plugins/apiclient/index.ts';
import type { Toolkit, ToolkitOptions } from '../../../plugins/toolkit/index.ts';
import { coreToolkit } from '../../support/core-toolkit.ts';
import { temporaryFolder } from '../../support/temporary.ts';

const fixtures = path.resolve(import.meta.dirname, '../../../fixtures');

/** Behaviour of the stand-in for the runner. By default it writes no report and ends with 0. */
export interface Plan {
  readonly version?: string;
  readonly versionExitCode?: number;
  readonly exitCode?: number;
  /** The name of a recorded report. */
  readonly report?: string;
  /** In place of a recorded one. */
  readonly reportText?: string;
  readonly withoutOtherReports?: boolean;
  readonly stdout?: string;
  readonly stderr?: string;
  readonly stdoutBytes?: number;
  readonly signal?: NodeJS.Signals;
  readonly hang?: boolean;
  /** Actions of a collection's scripts before the report is written. */
  readonly acts?: {
    readonly requests?: readonly string[];
    /** Each is read in two ways. */
    readonly reads?: readonly string[];
    readonly writes?: readonly string[];
    readonly programs?: readonly string[];
  };
  /** The recorded result of an import. */
  readonly import?: 'bru' | 'opencollection';
}

export interface RunnerCall {
  /** Arguments after the name of the program. */
  readonly args: readonly string[];
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** The rows that it was given. */
  readonly data?: JsonValue;
  /** True when a file that NODE_OPTIONS names was loaded before. */
  readonly preloaded: boolean;
}

interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly enabled: boolean;
  readonly secret: boolean;
}

interface Check {
  readonly name: string;
  readonly status: string;
  readonly error?: string;
}

export interface Result {
  readonly name: string;
  readonly file: string;
  readonly iteration: number;
  readonly status: string;
  readonly method: string | null;
  readonly url: string | null;
  readonly response_status: number | null;
  readonly assertions: readonly Check[];
  readonly error?: string;
}

/** Answers of the tools; each has some of these members. */
export interface Answer {
  readonly success: boolean;
  readonly errors: readonly string[];
  readonly message: string;
  readonly note?: string;
  readonly collection_path: string;
  readonly collection_name: string;
  readonly requests_created: number;
  readonly request_path: string;
  readonly request_name: string;
  readonly collection: {
    readonly name: string;
    readonly path: string;
    readonly format: string;
    readonly requests: readonly {
      readonly name: string;
      readonly method: string;
      readonly url: string;
      readonly tags: readonly string[];
      readonly has_tests: boolean;
      readonly file: string;
    }[];
    readonly environments: readonly { readonly name: string; readonly variables: readonly Variable[] }[];
    readonly variables: readonly Variable[];
    readonly authentication: { readonly mode: string; readonly fields: readonly string[] };
  };
  readonly collections: readonly {
    readonly name: string;
    readonly path: string;
    readonly request_count: number;
    readonly environments: readonly string[];
    readonly tags: readonly string[];
  }[];
  readonly summary: Readonly<Record<string, number>>;
  readonly results: readonly Result[];
  readonly results_truncated: boolean;
  readonly report_path: string | null;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: unknown;
  };
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: unknown;
    readonly duration_ms: number;
  } | null;
  readonly assertions: readonly Check[];
}

export interface Desk {
  /** The only root; fixtures and files are in it. */
  readonly root: string;
  /** The folder of the stand-in. */
  readonly runner: string;
  readonly toolkit: Toolkit;
  /** Calls `apiclient_<name>`. */
  call(name: string, parameters?: Readonly<Record<string, unknown>>, options?: Parameters<Toolkit['execute']>[2]): Promise<Answer>;
  /** Every start of the stand-in, the questions for its version among them. */
  starts(): Promise<readonly RunnerCall[]>;
  /** The starts that ran or imported something. */
  runs(): Promise<readonly RunnerCall[]>;
  /** Results of `acts`, of all runs. */
  did(): Promise<readonly string[]>;
  /** From the next start on. */
  plan(next: Plan): Promise<void>;
}

export interface DeskOptions {
  readonly plan?: Plan;
  /** Names of fixture collections, copied into the root. */
  readonly collections?: readonly string[];
  /** Name to text, in the root. */
  readonly files?: Readonly<Record<string, string>>;
  readonly options?: ApiclientOptions;
  readonly toolkit?: ToolkitOptions;
  readonly plugins?: readonly PluginEntry[];
}

/** The tools of the API client over a temporary root, with a stand-in for the runner. */
export async function desk({
  plan = {},
  collections = [],
  files = {},
  options = {},
  toolkit: more = {},
  plugins = [],
}: DeskOptions = {}): Promise<Desk> {
  const [root, runner] = [await temporaryFolder(files), await temporaryFolder()];
  for (const name of collections) await cp(path.join(fixtures, 'collections', name), path.join(root, name), { recursive: true });
  await cp(path.join(fixtures, 'apiclient/bru.cjs'), path.join(runner, 'bru.cjs'));
  const setPlan = async (next: Plan): Promise<void> => {
    await writeFile(path.join(runner, 'plan.json'), JSON.stringify(next));
    if (next.report !== undefined) await cp(reportFile(next.report), path.join(runner, 'report.json'));
    if (next.import !== undefined)
      await cp(path.join(fixtures, 'apiclient/imports', next.import), path.join(runner, 'import'), { recursive: true });
  };
  await setPlan(plan);
  const toolkit = await coreToolkit({
    includeCore: false,
    toolPaths: [path.resolve(import.meta.dirname, '../../../tools/apiclient')],
    roots: [root],
    plugins: [apiclient({ command: path.join(runner, 'bru.cjs'), ...options }), ...plugins],
    ...more,
  });
  const starts = async (): Promise<readonly RunnerCall[]> => {
    const text = await readFile(path.join(runner, 'calls.jsonl'), 'utf8').catch(() => '');
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => startOf(JSON.parse(line) as RunnerCall));
  };
  return {
    root,
    runner,
    toolkit,
    call: async (name, parameters = {}, request) => (await toolkit.execute(`apiclient_${name}`, parameters, request)) as unknown as Answer,
    starts,
    runs: async () => (await starts()).filter(({ args }) => args[0] !== '--version'),
    did: async () => {
      const lines = (await readFile(path.join(runner, 'acts.jsonl'), 'utf8').catch(() => '')).split('\n').filter(Boolean);
      return lines.flatMap((line) => JSON.parse(line) as string[]);
    },
    plan: setPlan,
  };
}

export function reportFile(name: string): string {
  return path.join(fixtures, 'apiclient/reports', `${name}.json`);
}

export const specificationFile = path.join(fixtures, 'apiclient/pets.yaml');

function startOf(call: RunnerCall): RunnerCall {
  return { ...call, args: call.argv.slice(2) };
}

/** A collection with some requests, `pets/` in the root. `files` are further ones, or take the place of those. */
export function pets(files: Readonly<Record<string, string>> = {}): Record<string, string> {
  const all = {
    'bruno.json': '{"version":"1","name":"Pets","type":"collection"}',
    'get-pet.bru': request('Get pet', { tags: ['smoke', 'fast'] }),
    'list-pets.bru': request('List pets', { tags: ['smoke'] }),
    'sub/slow.bru': request('Slow', { tags: ['slow', 'smoke', 'fast'] }),
    'environments/local.bru': 'vars {\n  base: http://127.0.0.1:1\n}\n',
    ...files,
  };
  return Object.fromEntries(Object.entries(all).map(([name, text]) => [`pets/${name}`, text]));
}

/** The `.bru` file of a GET. */
export function request(
  name: string,
  { tags = [], more = '' }: { readonly tags?: readonly string[]; readonly more?: string } = {},
): string {
  const list = tags.length === 0 ? '' : `  tags: [\n${tags.map((tag) => `    ${tag}\n`).join('')}  ]\n`;
  return `meta {\n  name: ${name}\n  type: http\n${list}}\n\nget {\n  url: {{base}}/pets\n}\n${more}`;
}
