import type { ProgramOptions, ProgramResult, RunProgram } from '../../../../shared/process/program.ts';
import { inheritedVariables } from '../../../../shared/process/program.ts';
import type { Scratch } from '../cassette/scratch.ts';
import type { OutboundRequest } from '../cassette/session.ts';

/**
 * Converts a run of a program to `{command, args, stdin?, env?, cwd?}`: only the names of the variables that the tool adds, and only a
 * working directory inside the test folder.
 */
export function programRequest(
  run: RunProgram,
  scratch: Scratch,
  program: string,
  args: readonly string[],
  options: ProgramOptions,
): OutboundRequest<ProgramResult> {
  const { stdin, env, cwd } = options;
  const names = Object.keys(env)
    .filter((name) => !inheritedVariables.includes(name))
    .sort();
  return {
    kind: 'program',
    request: {
      command: program,
      args,
      ...(stdin === undefined ? {} : { stdin }),
      ...(names.length === 0 ? {} : { env: names }),
      ...(cwd === undefined || !cwd.startsWith(scratch.folder) ? {} : { cwd }),
    },
    send: () => run(program, args, options),
    async toRecorded(answer) {
      const { exitCode, signal, stdout, stderr } = answer;
      const response = {
        ...(exitCode === undefined ? {} : { exitCode }),
        ...(signal === undefined ? {} : { signal }),
        stdout: outputOf(stdout),
        stderr: outputOf(stderr),
      };
      return { answer, response };
    },
    fromRecorded(response) {
      const { exitCode, signal, stdout, stderr } = scratch.fromCassette(response) as RecordedResult;
      return { exitCode, signal, stdout: bytesOf(stdout), stderr: bytesOf(stderr), truncated: false, durationMs: 0 };
    },
  };
}

type Output = string | { readonly base64: string };

interface RecordedResult {
  readonly exitCode?: number;
  readonly signal?: string;
  readonly stdout: Output;
  readonly stderr: Output;
}

function outputOf(bytes: Buffer): Output {
  // Own text: compared with its bytes below
  const text = bytes.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? text : { base64: bytes.toString('base64') };
}

function bytesOf(output: Output): Buffer {
  return typeof output === 'string' ? Buffer.from(output, 'utf8') : Buffer.from(output.base64, 'base64');
}
