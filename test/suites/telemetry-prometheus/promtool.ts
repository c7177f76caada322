import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** Runs promtool. Returns its exit code with all that it wrote. */
export async function promtool(args: readonly string[], input = ''): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = spawn('promtool', args, { stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { code, output: stdout + stderr };
}
