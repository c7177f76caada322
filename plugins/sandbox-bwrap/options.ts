import Type, { type Static } from 'typebox';

const Folders = Type.Array(Type.String({ minLength: 1 }));

const Rights = Type.Object(
  {
    /** Gives network access. @default as its definition says */
    network: Type.Optional(Type.Boolean()),
    /** Makes `.git` (`git`) or folders of packages (`packages`) writable. @default as its definition says */
    writes: Type.Optional(Type.Array(Type.Enum(['git', 'packages']))),
  },
  { additionalProperties: false },
);

export const SandboxOptionsSchema = Type.Object(
  {
    /**
     * Directories that programs may read and write, except control files. Relative ones start at the folder of the configuration.
     * In `standard({ sandbox })` the roots of `standard()`. @default the working directory, unless it is `/` or the home folder
     */
    roots: Type.Optional(Folders),
    /**
     * Files and directories that programs may read beside the roots, the system (`/usr`, and `/etc` where all accounts may read
     * it) and the folders of the PATH: toolchains, certificates, `~/.gitconfig`. Inside of a root: read-only parts. `~` is the
     * home folder.
     * @default none
     */
    readable: Type.Optional(Folders),
    /** Files and directories that programs must not see, wherever they are. @default none */
    hidden: Type.Optional(Folders),
    /** Rights of single tools, which replace those in their definitions, such as `{ system_execute: { network: true } }`. @default none */
    tools: Type.Optional(Type.Record(Type.String(), Rights)),
    /**
     * Limit of files and folders below the roots that are searched before each start, without packages and `.git`. Where there are
     * more, nothing is started, because a file that was not searched cannot be hidden. @default 20000
     */
    maxEntries: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
    /** The bubblewrap program: a name on the PATH, or an absolute path. @default 'bwrap' */
    program: Type.Optional(Type.String({ minLength: 1 })),
  },
  { additionalProperties: false },
);

export type SandboxOptions = Static<typeof SandboxOptionsSchema>;
