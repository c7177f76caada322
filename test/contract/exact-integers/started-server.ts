import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

export interface StartedServer {
  /** Sends a line. */
  say(text: string): void;
  /** Gives the next message that has an id. */
  answer(): Promise<Readonly<Record<string, unknown>>>;
  stop(): Promise<void>;
}

/** The built program as an MCP server over stdio, with one tool of a folder of its own. */
export async function startedServer(tool: object): Promise<StartedServer> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'toolkit-integers-'));
  await writeFile(path.join(folder, 'thing.yaml'), JSON.stringify(tool));
  await writeFile(path.join(folder, 'package.json'), '{ "name": "integers" }');
  const program = path.resolve('dist/plugins/toolkit/main.js');
  const child = spawn(process.execPath, ['--', program, 'mcp', '--tool-paths', '.'], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', HOME: folder },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  child.stdin.on('error', () => {});
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    say: (text) => void child.stdin.write(`${text}\n`),
    async answer() {
      for (;;) {
        const { value, done } = await lines.next();
        if (done === true) throw new Error(`the server has ended: ${said}`);
        const message = JSON.parse(value) as Readonly<Record<string, unknown>>;
        if (message['id'] !== undefined) return message;
      }
    },
    async stop() {
      child.kill();
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
