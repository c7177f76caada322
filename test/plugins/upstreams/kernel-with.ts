import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createKernel, type Kernel, type Plugin } from '../../../kernel/index.ts';
import { type StandardOptions, standard } from '../../../plugins/toolkit/standard.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { writeAccepted } from '../../../plugins/upstreams/accepted/accepted-in-lock.ts';
import { type UpstreamServer, upstreams } from '../../../plugins/upstreams/index.ts';
import { foldersForFile, temporaryFolder } from '../../support/temporary.ts';
import { bareKernel } from '../../support/test-kernel.ts';

export const serverFile = (name: string): string => path.resolve('test/plugins/upstreams/servers', `${name}.mjs`);

export type Fixture = UpstreamServer & {
  /** Arguments of the fixture. */
  readonly flags?: readonly string[];
};

/** The settings of a fixture on standard input and output, whose tools need no approval. */
export function stdioServer(name: 'legacy' | 'modern' | 'plain', { flags = [], ...more }: Fixture = {}): UpstreamServer {
  return { command: process.execPath, args: [serverFile(name), ...flags], pin: 'first-use', gate: 'none', ...more };
}

type Servers = Readonly<Record<string, UpstreamServer>>;

const pluginsOf = (servers: Servers, options: StandardOptions): readonly Plugin[] => [
  ...standard({ includeCore: false, autoDiscover: false, ...options }),
  upstreams({ servers }),
];

/** A kernel with these servers, closed after the test. */
export async function kernelWith(servers: Servers, cwd?: string, options: StandardOptions = {}): Promise<Kernel> {
  return bareKernel({ cwd: cwd ?? (await temporaryFolder()), plugins: pluginsOf(servers, options) });
}

/** A kernel with these servers that the caller closes. */
export async function lastingKernel(servers: Servers): Promise<Kernel> {
  return createKernel({ logger: memoryLogger(), cwd: await foldersForFile(temporaryFolder), plugins: pluginsOf(servers, {}) });
}

export interface ServerEvent {
  readonly event: string;
  readonly pid?: number;
  readonly child?: number;
  readonly env?: readonly string[];
  /** `_meta` of the request. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** A file in which a fixture notes what happens to it. */
export async function eventFile(): Promise<{
  readonly file: string;
  read(): Promise<readonly ServerEvent[]>;
  names(): Promise<readonly string[]>;
}> {
  const file = path.join(await temporaryFolder(), 'events');
  const read = async (): Promise<readonly ServerEvent[]> => {
    const text = await readFile(file, 'utf8').catch(() => '');
    return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as ServerEvent]));
  };
  return { file, read, names: async () => (await read()).map(({ event }) => event) };
}

/** True while a process runs. One that has ended and waits for its new parent to take note does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** A folder in which these tools of the server `shop` are accepted. */
export async function acceptedFolder(...names: readonly string[]): Promise<string> {
  const folder = await temporaryFolder();
  const inputSchema = { type: 'object', additionalProperties: true };
  const tools = names.map((name) => ({ name, description: `The tool ${name}.`, inputSchema }));
  await writeAccepted(folder, 'shop', { tools, resources: [], resourceTemplates: [], prompts: [], completes: false });
  return folder;
}
