import { program, token } from './bench-folder.ts';
import { HttpProcess } from './server-process.ts';

/** How a server of this program is found in what it prints, and opened. */
export const listening = { port: /127\.0\.0\.1:(\d+)\/mcp/, token };

interface ToolkitOptions {
  /** Another build of the program. @default that of this clone */
  readonly main?: string;
  /** @default false */
  readonly isModern?: boolean;
}

/** This program over HTTP, on a free port, with a bearer token. */
export function toolkitOverHttp(cwd: string, { main = program, isModern = false }: ToolkitOptions = {}): HttpProcess {
  const args = [main, 'mcp', '--transport', 'http', '--port', '0'];
  return new HttpProcess({ args, cwd, env: { TOOLKIT_MCP_TOKEN: token }, isModern }, listening);
}
