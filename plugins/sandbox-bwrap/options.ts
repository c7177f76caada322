import Type, { type Static } from 'typebox';

const Folders = Type.Array(Type.String({ minLength: 1 }));

const Rights = Type.Object(
  {
    /** Opens the network. @default as its definition says */
    network: Type.Optional(Type.Boolean()),
    /** Opens `.git`, and folders of packages, for writing. @default as its definition says */
    writes: Type.Optional(Type.Array(Type.Enum(['git', 'packages']))),
  },
  { additionalProperties: false },
);

export const SandboxOptionsSchema = Type.Object(
  {
    /**
     * Directories that programs may read and write, but for control files; relative ones start at the folder of the configuration. In
     * `standard({ sandbox })` those of `standard()`. @default the working directory, unless it is `/` or the home folder
     */
    roots: Type.Optional(Folders),
    /**
     * Files and directories that programs may read beside the roots, the system (`/usr`, `/etc` as far as all accounts may read it) and the
     * folders of the PATH: toolchains, certificates, `~/.gitconfig`. Inside of a root: what they may not write. `~` is the home folder.
     * @default none
     */
    readable: Type.Optional(Folders),
    /** Files and directories that programs must not see, wherever they are. @default none */
    hidden: Type.Optional(Folders),
    /** By the name of a tool, its rights in place of those in its definition, such as `{ system_execute: { network: true } }`. @default none */
    tools: Type.Optional(Type.Record(Type.String(), Rights)),
    /**
     * Files and folders below the roots that are looked through before each start, without packages and `.git`. Where there are more, nothing is
     * started: what was not seen cannot be hidden. @default 20000
     */
    maxEntries: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
    /** The bubblewrap program: a name on the PATH, or an absolute path. @default 'bwrap' */
    program: Type.Optional(Type.String({ minLength: 1 })),
  },
  { additionalProperties: false },
);

export type SandboxOptions = Static<typeof SandboxOptionsSchema>;
