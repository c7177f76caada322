import path from 'node:path';
import Type, { type Static } from 'typebox';
import { type Issue, type Origin, type PinnedCode, placeholdersIn } from '../../kernel/index.ts';
import { codeFiles, codeIssue } from '../shared/code/code-module.ts';
import { codeOfProgram, findModuleCode } from '../shared/pinned-code/pinned-code.ts';

const Argument = Type.Union([Type.String(), Type.Array(Type.String())]);

/** The `execution` of a command tool, beside `type` and `timeout_ms`. There is no shell: each argument reaches the program as it is. */
export const CommandExecutionSchema = Type.Object(
  {
    /** The program: a name on the PATH, or a path (relative to the definition when it begins with `.`). No placeholders. */
    command: Type.String({ minLength: 1 }),
    /** Gives the program network access where a sandbox (sandbox-bwrap) runs it. Without one it is information only. @default false */
    network: Type.Optional(Type.Boolean()),
    /**
     * Makes `.git` (`git`) or folders of packages (`packages`) writable for the program in the sandbox. Without a sandbox it is
     * information only. @default []
     */
    writes: Type.Optional(Type.Array(Type.Enum(['git', 'packages']))),
    /**
     * The arguments. A nested list is left out as a whole when one of its placeholders was not given. A list value becomes several
     * arguments. A caller's value that begins an argument with `-` is refused, unless `--` stands before it or its parameter says
     * `options: true`. @default []
     */
    args: Type.Optional(Type.Array(Argument)),
    /** Variables that are added to the minimal environment. @default {} */
    env: Type.Optional(Type.Record(Type.String(), Type.String())),
    /**
     * The folder in which the program runs, relative to the folder of the configuration.
     * @default that folder, else the working directory
     */
    cwd: Type.Optional(Type.String()),
    /** The text for standard input. @default empty */
    stdin: Type.Optional(Type.String()),
    /** The exit codes that mean success. @default [0] */
    success_codes: Type.Optional(Type.Array(Type.Integer({ minimum: 0, maximum: 255 }), { minItems: 1 })),
    /**
     * A module that changes the invocation before the program runs. It gets `({args, env, cwd, stdin}, {parameters, run})` and
     * returns the members that change. `run(args)` runs the program for it. If it returns such a run as `ran`, the program does
     * not start again.
     */
    prepare: Type.Optional(Type.String({ pattern: '^\\.{1,2}/.+\\.(js|mjs|cjs|ts)(#\\w+)?$' })),
    /**
     * A module that finds out what a call will reach, before a person is asked. The person sees its result, and the approval holds
     * for that result only. It gets the same arguments as `prepare`. It returns the destination as text, or
     * `{ destination?, content?, program?, folder?, files? }`. It runs before every approval and again before the call runs, so it
     * must change nothing.
     */
    identify: Type.Optional(Type.String({ pattern: '^\\.{1,2}/.+\\.(js|mjs|cjs|ts)(#\\w+)?$' })),
    /**
     * The way in which standard output becomes the output. A module gets `(stdout, {parameters, args, exitCode, stderr, run})`.
     * @default 'text'
     */
    parse: Type.Optional(Type.String({ pattern: '^(json|lines|text|\\.{1,2}/.+\\.(js|mjs|cjs|ts)(#\\w+)?)$' })),
  },
  { additionalProperties: false },
);

export type CommandExecution = Static<typeof CommandExecutionSchema>;

export function checkExecution({ command }: CommandExecution): readonly Issue[] {
  if (placeholdersIn(command).length === 0) return [];
  const message = `must not contain a placeholder: received "${command}". Write the program's name, and put values into "args"`;
  return [{ path: 'command', pointer: '/command', message }];
}

/** Returns issues for its modules that do not exist. */
export function checkFiles({ prepare, identify, parse }: CommandExecution, origin: Origin): readonly Issue[] {
  return Object.entries({ prepare, identify, parse }).flatMap(
    ([key, module]) => (module?.startsWith('.') === true ? codeIssue(key, module, origin) : undefined) ?? [],
  );
}

/** Returns the program, if it is named by a relative path, and the modules. */
export function filesOf({ command, prepare, identify, parse }: CommandExecution, origin: Origin): readonly string[] {
  return codeFiles([command, prepare, identify, parse].filter((named) => named?.startsWith('.')) as string[], origin);
}

/** Returns the code that runs with the modules and with the program. */
export function pinnedCodeOf(execution: CommandExecution, origin: Origin, baseDirectory: string, reads: Map<string, unknown>): PinnedCode {
  const { command, prepare, identify, parse, args = [], cwd = '.', env = {} } = execution;
  const isLiteral = (text: string): boolean => placeholdersIn(text).length === 0;
  const { directory = '.' } = origin;
  const program = {
    command,
    // `NODE_OPTIONS: --import ./x.mjs` runs a file as well as an argument does.
    args: [...args.flat(), ...Object.values(env).flatMap((value) => value.split(/\s+/))].filter(isLiteral),
    cwd: path.resolve(baseDirectory, isLiteral(cwd) ? cwd : '.'),
    pythonPath: isLiteral(env['PYTHONPATH'] ?? '') ? env['PYTHONPATH'] : undefined,
  };
  const modules = [prepare, identify, parse].filter((named) => named?.startsWith('.')) as string[];
  const own = command.startsWith('.') ? [path.resolve(directory, command)] : [];
  const found = [findModuleCode([...modules, ...own], origin, reads), codeOfProgram(program, origin, reads)];
  return { files: found.flatMap(({ files }) => files), reserved: found.flatMap(({ reserved }) => reserved) };
}
