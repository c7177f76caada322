import { start } from '../program.ts';

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `toolkit test` of the built program to its end. */
export async function toolkitTest(cwd: string, words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const { exit, stdout, stderr } = start(['test', ...words], { cwd, env });
  const { code } = await exit;
  return { code, stdout: stdout(), stderr: stderr() };
}
