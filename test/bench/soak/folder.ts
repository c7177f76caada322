import { cp, mkdir, mkdtemp, readdir, readFile, realpath, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { installIn } from '../../support/installed.ts';
import type { Services } from './services.ts';

/** A session that nobody uses ends after so long, and a call without a client a little earlier: within a quiet moment. In milliseconds. */
export const sessionIdleMs = 3000;

const mcpOptions = { transport: 'http', port: 0, maxSessions: 1000, sessionIdleMs, resumeTimeoutMs: 2000, drainMs: 3000 };

/** Number of callers that share the clients. */
export const callers = 10;

export const tokenOf = (caller: number): string => `token-of-caller-${caller}-of-the-soak`;

/** The project folder of a run, with toolkit installed. Servers over stdio have configurations of their own, because a trail has one writer. */
export interface SoakFolder {
  readonly place: string;
  readonly tools: string;
  readonly httpConfig: string;
  stdioConfig(number: number): Promise<string>;
}

export async function makeFolder(services: Services): Promise<SoakFolder> {
  const place = await mkdtemp(path.join(await realpath(os.tmpdir()), 'toolkit-soak-'));
  await cp(path.join(import.meta.dirname, 'project'), place, { recursive: true });
  await mkdir(path.join(place, 'home'));
  await installIn(place);
  await writeFile(path.join(place, 'package.json'), '{ "name": "soak", "private": true, "type": "module" }');
  await writeFile(path.join(place, 'notes.txt'), 'A line of notes.\n'.repeat(100));
  const http = path.join(place, 'tools/http');
  for (const name of await readdir(http)) {
    const text = await readFile(path.join(http, name), 'utf8');
    const { good, failing, hanging } = services;
    const filled = text.replace('__GOOD__', good).replace('__FAILING__', failing).replace('__HANGING__', hanging);
    await writeFile(path.join(http, name), filled);
  }
  const template = await readFile(path.join(place, 'toolkit.config.yaml'), 'utf8');
  const config = async (name: string, mcp: object): Promise<string> => {
    const text = template
      .replace('__APICLIENT__', path.resolve('tools/apiclient'))
      .replace('__TRAIL__', `trail-${name}/calls.jsonl`)
      .replace('__MCP__', JSON.stringify(mcp));
    const file = `${name}.config.yaml`;
    await writeFile(path.join(place, file), text);
    return file;
  };
  const tokens = Array.from({ length: callers }, (_, caller) => ({ name: `caller-${caller}`, token: tokenOf(caller) }));
  return {
    place,
    tools: path.join(place, 'tools'),
    httpConfig: await config('http', { ...mcpOptions, tokens }),
    stdioConfig: (number) => config(`stdio-${number}`, { transport: 'stdio' }),
  };
}

/** Returns the environment of the servers of a run. */
export function environmentIn(place: string): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: path.join(place, 'home'),
    XDG_STATE_HOME: path.join(place, 'state'),
    TOOLKIT_MCP_TOKEN: 'the-token-that-nobody-uses',
    // As the Dockerfile has it, and OPERATING.md says.
    MALLOC_ARENA_MAX: '2',
  };
}
