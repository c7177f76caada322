import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Replacements of modules for a server that speaks only with sessions. */
const withSessionsOnly: Readonly<Record<string, string>> = {
  'plugins/mcp/protocol/clients/either-client.ts': `export { SessionClient as EitherClient } from './session-client.ts';\n`,
  'plugins/mcp/transports/http/sessionless/requests.ts': `
    export class SessionlessRequests {
      async answered(): Promise<void> {}
      close(): void {}
      handle(): undefined {}
      handleStateless(): undefined {}
    }\n`,
  'plugins/mcp/protocol/asking/request-states.ts': 'export class RequestStates {}\n',
  'plugins/mcp/protocol/tasks/tasks.ts': 'export class Tasks {}\n',
};

const parts = ['kernel', 'plugins', 'tools', 'package.json', 'tsconfig.json'];
const steps = ['code', 'packs', 'assets', 'schemas', 'manifests', 'code-cache'];

export interface Builds {
  /** The program, which speaks both eras. */
  readonly both: string;
  /** The same without the era of 2026-07-28. */
  readonly one: string;
  remove(): Promise<void>;
}

/** Builds the program twice, side by side, so that nothing differs but the code. */
export async function buildBoth(): Promise<Builds> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'toolkit-legs-'));
  return {
    both: await buildIn(path.join(folder, 'both'), {}),
    one: await buildIn(path.join(folder, 'one'), withSessionsOnly),
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

async function buildIn(folder: string, changed: Readonly<Record<string, string>>): Promise<string> {
  for (const part of parts) await cp(part, path.join(folder, part), { recursive: true });
  await symlink(path.resolve('node_modules'), path.join(folder, 'node_modules'));
  for (const [file, text] of Object.entries(changed)) await writeFile(path.join(folder, file), text);
  for (const step of steps) await run('npm', ['run', '-s', `build:${step}`], { cwd: folder });
  return path.join(folder, 'dist/plugins/toolkit/main.js');
}
