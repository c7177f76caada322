import { readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Shelf } from '../../../../../fixtures/plugins/toolkit-plugin-shelf/shelf.js';
import { until } from '../../../../support/until.ts';
import type { Mode } from '../../attack.ts';
import { type AttackServer, type ModelResult, sharedServer } from '../../attack-server.ts';

export const find = { name: 'find', description: 'Finds a thing.' };

const gates: Readonly<Record<Mode, string>> = { flag: '{}', elicit: '{ mode: elicit }', strict: '{ mode: strict }' };

const fixture = (file: string): string => readFileSync(path.resolve('fixtures/plugins', file), 'utf8');

/** The plugins that attack, as files of a project. */
export const attackers: Readonly<Record<string, string>> = {
  'plugins/shelf/index.js': fixture('toolkit-plugin-shelf/index.js'),
  'plugins/shelf/shelf.js': fixture('toolkit-plugin-shelf/shelf.js'),
  'plugins/taker/index.js': fixture('toolkit-plugin-taker/index.js'),
};

/** A source: what it lists at the start, and its options. */
export interface AttackSource {
  readonly shelf: Shelf;
  readonly source?: Readonly<Record<string, unknown>>;
  /** It is listed again when its document changes. @default false */
  readonly watch?: boolean;
}

/** A configuration in which a plugin of an attacker stands before everything else, and sources behind it, with their documents. */
export function attackFiles(
  mode: Mode,
  sources: Readonly<Record<string, AttackSource>>,
  taken: object = {},
  timeoutsMs: object = {},
): Readonly<Record<string, string>> {
  const options = Object.fromEntries(
    Object.entries(sources).map(([name, { source = {}, watch = false }]) => [name, { document: documentOf(name), source, watch }]),
  );
  const config = `plugins:
  - [./plugins/taker/index.js, { document: taker.json }]
  - [toolkit/standard, { toolPaths: [my-tools], skillPaths: [skills], autoDiscover: true }]
  - [toolkit/plugins/approval-gate, ${gates[mode]}]
  - [./plugins/shelf/index.js, ${JSON.stringify({ sources: options })}]
timeoutsMs: ${JSON.stringify(timeoutsMs)}
`;
  const documents = Object.entries(sources).map(([name, { shelf }]) => [documentOf(name), JSON.stringify(shelf)]);
  return { ...attackers, ...Object.fromEntries(documents), 'toolkit.config.yaml': config, 'taker.json': JSON.stringify(taken) };
}

/** One server with all sources of the attacks, beside the one that all kinds share. */
export class ShelfServer {
  readonly server: AttackServer;
  #reloads = 0;

  constructor(server: AttackServer) {
    this.server = server;
  }

  /** Calls a tool as a model does; a tool that there is not is the code TOOL_NOT_FOUND, which over MCP is an error of the protocol. */
  async call(name: string, parameters: object = {}): Promise<ModelResult> {
    try {
      return await this.server.call(name, parameters);
    } catch (error) {
      const text = String(error);
      return { isError: true, code: text.includes('There is no tool') ? 'TOOL_NOT_FOUND' : undefined, text };
    }
  }

  /** Replaces the list of a source. */
  write(source: string, shelf: Shelf): Promise<void> {
    return this.#replace(documentOf(source), shelf);
  }

  /** Replaces the tools that the attacker's plugin adds itself. */
  writeTaker(taken: object): Promise<void> {
    return this.#replace('taker.json', taken);
  }

  /** The operator has the server read everything again; it ends when a tool of the operator's that is new can be called. */
  async reload(): Promise<void> {
    const name = `after_reload_${++this.#reloads}`;
    const yaml = `name: ${name}\ndescription: Is there after a reload.\nexecution: { type: command, command: echo, args: [there] }\n`;
    await writeFile(path.join(this.server.cwd, 'my-tools', `${name}.yaml`), yaml);
    process.kill(this.server.pid, 'SIGHUP');
    await until(async () => ((await this.call(name)).isError ? undefined : true));
  }

  /** Waits until a call ends with this code, as it does once the server has seen what is new. */
  async untilCode(tool: string, code: string): Promise<string> {
    return until(async () => {
      const result = await this.call(tool);
      return result.code === code ? result.text : undefined;
    });
  }

  /** Waits until a call succeeds. */
  async untilDone(tool: string): Promise<string> {
    return until(async () => {
      const result = await this.call(tool);
      return result.isError ? undefined : result.text;
    });
  }

  /** Not in one step: the server must never read half a document. */
  async #replace(file: string, content: object): Promise<void> {
    const target = path.join(this.server.cwd, file);
    await writeFile(`${target}.new`, JSON.stringify(content));
    await rename(`${target}.new`, target);
  }
}

/** Gives one such server for each of those that the suite shares, started at its first use. */
export function shelfServers(sources: Readonly<Record<string, AttackSource>>, files: Readonly<Record<string, string>>, taken: object) {
  const started = new WeakMap<AttackServer, Promise<ShelfServer>>();
  return (shared: AttackServer): Promise<ShelfServer> => {
    const { mode, transport } = shared;
    const known =
      started.get(shared) ??
      sharedServer({ ...files, ...attackFiles(mode, sources, taken) }, { mode, transport }).then((server) => new ShelfServer(server));
    started.set(shared, known);
    return known;
  };
}

function documentOf(source: string): string {
  return `shelves/${source}.json`;
}
