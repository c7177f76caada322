import Type, { type Static } from 'typebox';

export const AuditTrailOptionsSchema = Type.Object(
  {
    /**
     * Path of the folder or file to write; relative to the configuration. A folder (`trail/`) ends with `/` or exists already: any number of
     * processes of one machine write to it, each to its own file. A file (`calls.jsonl`) has one process at a time: `<path>.lock` names it.
     * Missing files are created with mode 0600, missing folders with 0700. `<file>.head` names the last record of a file. A symbolic link is refused.
     */
    path: Type.String({ minLength: 1 }),
    /** Maximum size of a file, in bytes. A file that would exceed it is renamed to `<file>.<n>`, with the next number. @default 50 MiB */
    maxBytes: Type.Optional(Type.Integer({ minimum: 64 * 1024 })),
    /** Number of rotated files to keep, in a folder for each segment; 0 keeps all. @default 10 */
    maxRotatedFiles: Type.Optional(Type.Integer({ minimum: 0, mistaken_names: ['keep'] })),
    /** Behaviour of calls while the trail cannot be written: refused (`closed`), or run without a record (`open`). @default 'closed' */
    onFailure: Type.Optional(Type.Enum(['closed', 'open'])),
    /** Form of the parameters in a record: values with secrets masked and long texts cut, names only, or nothing. @default 'masked' */
    parameters: Type.Optional(Type.Enum(['masked', 'names', 'none'])),
    /**
     * `each` waits for the disk after each write: no record is lost in a power failure, and each call takes some milliseconds longer. `never`
     * leaves that to the operating system: no record is lost when the process ends, even by a crash. A rotated file is always on disk.
     * @default 'never'
     */
    fsync: Type.Optional(Type.Enum(['never', 'each'])),
    /** Key that makes the hashes HMACs, so that records that verify cannot be written without it. It must stay the same for the whole life of a trail. */
    key: Type.Optional(Type.String({ minLength: 16 })),
  },
  { additionalProperties: false },
);

export type AuditTrailOptions = Static<typeof AuditTrailOptionsSchema>;
